import { accessStore, isSelf, knowsTeam, type Member, type OrgAccess, type TeamAccess, teamsKnownTo, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import type { TeamFilter } from './store.ts'

/** Which of an organization's teams lists show to the viewer, as `knowsTeam` answers for one; undefined is all. */
export function knownTo(viewer: Viewer, role: OrgAccess['role']): TeamFilter['knownTo'] {
  return role === 'owner' ? undefined : { userId: viewer.user?.id ?? 0, visibilities: teamsKnownTo(role) }
}

/** Of a public team everybody knows the name, but only the organization's members know who is in it. @throws Forbidden for others */
export function requireOrgMember({ org }: TeamAccess): void {
  if (org.role === 'outsider') throw new Forbidden('Must be an organization member')
}

/** Who is in a team may leave it; owners of the organization see others out. @throws Forbidden for others */
export function refuseRemovingOthers(viewer: Member, { org }: TeamAccess, user: UserRow): void {
  if (!isSelf(viewer, user) && org.role !== 'owner') throw new Forbidden('Must be an organization owner')
}

/** A team of an organization by its name. @throws NotFound for one of which the viewer may not know */
export function getKnownTeam(db: Db, viewer: Viewer, org: OrgAccess, name: string): TeamAccess {
  const row = accessStore.findTeamByName(db, org.row.id, name)
  if (!row || !knowsTeam(db, viewer, org.role, row)) throw new NotFound()
  return { row, org }
}
