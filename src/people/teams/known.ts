import { type OrgAccess, teamsKnownTo, type Viewer } from '#access/index.ts'
import type { TeamFilter } from './store.ts'

/** Which of an organization's teams lists show to the viewer, as `knowsTeam` answers for one; undefined is all. */
export function knownTo(viewer: Viewer, role: OrgAccess['role']): TeamFilter['knownTo'] {
  return role === 'owner' ? undefined : { userId: viewer.user?.id ?? 0, visibilities: teamsKnownTo(role) }
}
