import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Those among them whom the viewer can see. */
export function listStargazers(db: LongDb, viewer: Viewer, repoId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  return listSeenAccounts(db, viewer, { table: 'star', of: 'star.user_id', where: 'star.repo_id = ?', values: [repoId] }, page)
}

/** The repositories with ids above `after` that the user stars, by id. */
export function listStarredAfter(db: Db, userId: number, after: number, limit: number): number[] {
  const sql = 'SELECT repo_id FROM star WHERE user_id = ? AND repo_id > ? ORDER BY repo_id LIMIT ?'
  return db.all<{ repo_id: number }>(sql, userId, after, limit).map((row) => row.repo_id)
}

/** Takes the user's stars from this owner's repositories with ids above `after` and up to `until`, but for those given after the parting with this id. */
export function removeStarsOf(tx: Tx, userId: number, ownerId: number, { after, until, parting }: { after: number; until: number; parting: number }): void {
  const isOwners = 'EXISTS (SELECT 1 FROM repository WHERE id = repo_id AND owner_id = ?)'
  const sql = `DELETE FROM star WHERE user_id = ? AND repo_id > ? AND repo_id <= ? AND begun_after < ? AND ${isOwners}`
  tx.run(sql, userId, after, until, parting, ownerId)
}
