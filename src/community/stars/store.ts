import { type UserRow, type Viewer, visibleAccounts } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Those among them whom the viewer can see. */
export function listStargazers(db: Db, viewer: Viewer, repoId: number, page: Page): { rows: UserRow[]; total: number } {
  const { sql, values } = visibleAccounts(viewer)
  const from = `FROM star JOIN user ON user.id = star.user_id WHERE star.repo_id = ? AND ${sql}`
  return {
    rows: db.all<UserRow>(`SELECT user.* ${from} ORDER BY star.user_id LIMIT ? OFFSET ?`, repoId, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, repoId, ...values)?.n ?? 0,
  }
}

/** Takes the user's stars from all repositories of this owner. */
export function removeStarsOf(tx: Tx, userId: number, ownerId: number): void {
  tx.run('DELETE FROM star WHERE user_id = ? AND repo_id IN (SELECT id FROM repository WHERE owner_id = ?)', userId, ownerId)
}
