import { listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface WatchRow {
  user_id: number
  repo_id: number
  mode: 'normal' | 'auto' | 'ignored'
  created_at: number
}

/** Undefined also for who ignores the repository. */
export function findWatch(db: Db, userId: number, repoId: number): WatchRow | undefined {
  return db.find<WatchRow>("SELECT * FROM watch WHERE user_id = ? AND repo_id = ? AND mode <> 'ignored'", userId, repoId)
}

/** Those among them whom the viewer can see. */
export function listWatchers(db: LongDb, viewer: Viewer, repoId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  const names = { table: 'watch', of: 'watch.user_id', where: "watch.repo_id = ? AND watch.mode <> 'ignored'", values: [repoId] }
  return listSeenAccounts(db, viewer, names, page)
}

/** One that began by itself is remembered as unwanted. */
export function endWatch(tx: Tx, userId: number, repoId: number): void {
  tx.run("DELETE FROM watch WHERE user_id = ? AND repo_id = ? AND mode = 'normal'", userId, repoId)
  tx.run("UPDATE watch SET mode = 'ignored' WHERE user_id = ? AND repo_id = ? AND mode = 'auto'", userId, repoId)
}
