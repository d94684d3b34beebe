import { accessStore, type OrgAccess, type TeamRow, teamsKnownTo, type Viewer } from '../access/index.ts'
import type { Db } from '../kernel/db.ts'
import type { TeamFilter } from './store.ts'

/** Which of an organization's teams lists show to the viewer; undefined is all. */
export function knownTo(viewer: Viewer, role: OrgAccess['role']): TeamFilter['knownTo'] {
  return role === 'owner' ? undefined : { userId: viewer.user?.id ?? 0, visibilities: teamsKnownTo(role) }
}

/** The same for one team. */
export function isKnownTo(db: Db, viewer: Viewer, role: OrgAccess['role'], team: TeamRow): boolean {
  const known = knownTo(viewer, role)
  return known === undefined || known.visibilities.includes(team.visibility) || accessStore.isTeamMember(db, team.id, known.userId)
}
