import type { Db } from '#kernel/db.ts'

/** Somebody lets all who may write to another repository push to a branch. */
export interface EditGrant {
  /** The repository whose writers may. */
  writersOf: number
  /** Who lets them: it holds as long as that person may push there. */
  grantedBy: number
}

/** What lets people push to branches of a repository that they may only read: the room that knows gives it to the context. */
export interface BranchEditing {
  /** @param branch of all branches without it */
  listGrants(db: Db, repoId: number, branch?: string): EditGrant[]
}
