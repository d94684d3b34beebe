import type { Db } from '#kernel/db.ts'
import { listEditable } from './store.ts'

/**
 * Whoever may write where a pull request goes may push to its branch in the fork while it is open, if its author lets them. Whether they
 * may, and the author, is asked where pushes are judged: it is registered with `BranchEditors`, at every start.
 */
export const maintainerEdits = {
  listGrants(db: Db, repoId: number, branch?: string): { writersOf: number; grantedBy: number }[] {
    return listEditable(db, repoId, branch).flatMap(({ repo_id: writersOf, edits_allowed_by: grantedBy }) =>
      grantedBy === null ? [] : [{ writersOf, grantedBy }],
    )
  },
}
