import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Those among them whom the viewer can see. */
export function listStargazers(db: LongDb, viewer: Viewer, repoId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  return listSeenAccounts(db, viewer, { table: 'star', of: 'star.user_id', where: 'star.repo_id = ?', values: [repoId] }, page)
}

/** Takes the user's stars from all repositories of this owner. */
export function removeStarsOf(tx: Tx, userId: number, ownerId: number): void {
  tx.run('DELETE FROM star WHERE user_id = ? AND repo_id IN (SELECT id FROM repository WHERE owner_id = ?)', userId, ownerId)
}
