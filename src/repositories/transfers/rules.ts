import { accessStore, atLeast, canSeeAccount, type Level, type Member, permissionIn, type RepoAccess, type TeamRow, type UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'

/** The repository as it is now, a body later. @throws NotFound when it is gone; Forbidden when the viewer is less to it than `need` by now */
export function getStill(db: Db, viewer: Member, seen: RepoAccess, need: Level): RepoAccess {
  const row = accessStore.findRepoById(db, seen.row.id)
  const owner = row && accessStore.findUserById(db, row.owner_id)
  if (!row || !owner) throw new NotFound()
  const permission = permissionIn(db, viewer, row, owner)
  if (!atLeast(permission.level, need)) throw new Forbidden('user should be the owner of the repo')
  return { row, owner, permission }
}

/** @throws NotFound for whom the viewer may not see, and for nobody */
export function getRecipient(db: Db, viewer: Member, name: string): UserRow {
  const found = accessStore.findUserByName(db, name)
  if (!found || !canSeeAccount(db, viewer, found)) throw new NotFound('The new owner does not exist or cannot be found')
  return found
}

/** @throws Unprocessable on teams there are not, and for people, who have none; Forbidden on teams of others */
export function getTeams(db: Db, recipient: UserRow, ids: readonly number[]): TeamRow[] {
  if (ids.length > 0 && recipient.kind !== 'organization') throw new Unprocessable('Teams can only be added to organization-owned repositories')
  return ids.map((id) => {
    const team = accessStore.findTeamById(db, id)
    if (!team) throw new Unprocessable(`team ${id} not found`)
    if (team.org_id !== recipient.id) throw new Forbidden(`team ${id} does not belong to the organization ${recipient.name}`)
    return team
  })
}
