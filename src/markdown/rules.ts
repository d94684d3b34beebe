import { accessStore, atLeast, canSeeUser, findVisibleRepo, type RepoAccess, type RepoRow, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'

/** The repository a text stands in, when the viewer may read its code; else nothing of it may show in links. */
export function findReadable(db: Db, viewer: Viewer, owner: string, name: string): RepoRow | undefined {
  const found = findVisibleRepo(db, viewer, owner, name)
  return found && canRead(viewer, found) ? found.row : undefined
}

/** A token for other things reads no code, not even whether a commit is there. */
function canRead({ grant }: Viewer, { permission }: RepoAccess): boolean {
  return atLeast(permission.of('code'), 'read') && (grant === undefined || grant.all || grant.levels.repository !== undefined)
}

/** Whether a name becomes a link to an account, for a viewer who may know of it. */
export function mayMention(db: Db, viewer: Viewer, name: string): boolean {
  const user = accessStore.findUserByName(db, name)
  return user !== undefined && canSeeUser(viewer, user)
}
