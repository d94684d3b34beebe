import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** Those among them whom the viewer can see. */
export function listStargazers(db: LongDb, viewer: Viewer, repoId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  return listSeenAccounts(db, viewer, { table: 'star', of: 'star.user_id', where: 'star.repo_id = ?', values: [repoId] }, page)
}
