import { type OrgAccess, type TeamAccess, teamsKnownTo, type Viewer } from '#access/index.ts'
import { Forbidden } from '#kernel/errors.ts'
import type { TeamFilter } from './store.ts'

/** Which of an organization's teams lists show to the viewer, as `knowsTeam` answers for one; undefined is all. */
export function knownTo(viewer: Viewer, role: OrgAccess['role']): TeamFilter['knownTo'] {
  return role === 'owner' ? undefined : { userId: viewer.user?.id ?? 0, visibilities: teamsKnownTo(role) }
}

/** Of a public team everybody knows the name, but only the organization's members know who is in it. @throws Forbidden for others */
export function requireOrgMember({ org }: TeamAccess): void {
  if (org.role === 'outsider') throw new Forbidden('Must be an organization member')
}
