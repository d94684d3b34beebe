import { accessStore, canSeeAccount, findKnownTeam, isSelf, isSiteAdmin, type Member, mayCreateRepoIn, type UserRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
import type { RepoSearch } from './search-store.ts'

/** Whether the viewer may know what a search by people and teams would tell; when not, it finds nothing, as of whoever is not there. */
export function maySearch(db: Db, viewer: Viewer, { ownerId, contributed, starredBy, teamId }: RepoSearch & { starredBy?: number }): boolean {
  const isSeen = (id: number) => {
    const account = accessStore.findUserById(db, id)
    return account !== undefined && canSeeAccount(db, viewer, account)
  }
  if (contributed === 'only' && ownerId !== undefined && !knowsContributions(viewer, ownerId)) return false
  if (teamId !== undefined && !findKnownTeam(db, viewer, teamId)) return false
  return [ownerId, starredBy].every((id) => id === undefined || isSeen(id))
}

/** Where somebody works without owning it tells of teams and organizations that others need not know of. */
export function knowsContributions(viewer: Viewer, userId: number): boolean {
  return isSelf(viewer, { id: userId }) || isSiteAdmin(viewer)
}

/** @throws Forbidden for who may make no repositories in the organization */
export function requireRepoCreator(db: Db, { user }: Member, org: UserRow): void {
  if (!mayCreateRepoIn(db, user, org)) throw new Forbidden('Given user is not allowed to create repository in organization.')
}
