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

/** The repositories with ids above `after` that the user watches, by id. */
export function listWatchedAfter(db: Db, userId: number, after: number, limit: number): number[] {
  const sql = 'SELECT repo_id FROM watch WHERE user_id = ? AND repo_id > ? ORDER BY repo_id LIMIT ?'
  return db.all<{ repo_id: number }>(sql, userId, after, limit).map((row) => row.repo_id)
}

/** Ends the user's watches of this owner's repositories with ids above `after` and up to `until`, but for those begun after the parting with this id. */
export function removeWatchesOf(tx: Tx, userId: number, ownerId: number, { after, until, parting }: { after: number; until: number; parting: number }): void {
  const isOwners = 'EXISTS (SELECT 1 FROM repository WHERE id = repo_id AND owner_id = ?)'
  const sql = `DELETE FROM watch WHERE user_id = ? AND repo_id > ? AND repo_id <= ? AND begun_after < ? AND ${isOwners}`
  tx.run(sql, userId, after, until, parting, ownerId)
}
