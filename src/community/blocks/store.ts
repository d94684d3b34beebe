import { type UserRow, type Viewer, visibleAccounts } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** A blocked person, and when it came to that. */
export interface BlockedRow extends UserRow {
  blocked_at: number
  /** For who blocked them alone. */
  note: string
}

/** Whether the block was made, effective or not. */
export function hasBlock(db: Db, blockerId: number, personId: number): boolean {
  return db.find('SELECT 1 FROM block WHERE blocker_id = ? AND blocked_id = ?', blockerId, personId) !== undefined
}

/** Whom the blocker blocked, as far as the viewer may see them. */
export function listBlocked(db: Db, viewer: Viewer, blockerId: number, page: Page): { rows: BlockedRow[]; total: number } {
  const visible = visibleAccounts(viewer)
  const source = `FROM block JOIN user ON user.id = blocked_id WHERE blocker_id = ? AND ${visible.sql}`
  const values = [blockerId, ...visible.values]
  const sql = `SELECT user.*, block.created_at AS blocked_at, block.note ${source} ORDER BY blocked_id LIMIT ? OFFSET ?`
  return {
    rows: db.all<BlockedRow>(sql, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${source}`, ...values)?.n ?? 0,
  }
}

/** @returns false when the person is blocked already; that block stays as it is */
export function insertBlock(tx: Tx, blockerId: number, personId: number, note: string, now: number): boolean {
  const sql = 'INSERT INTO block (blocker_id, blocked_id, note, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING'
  return tx.run(sql, blockerId, personId, note, now) > 0
}

/** @returns whether there was such a block */
export function removeBlock(tx: Tx, blockerId: number, personId: number): boolean {
  return tx.run('DELETE FROM block WHERE blocker_id = ? AND blocked_id = ?', blockerId, personId) > 0
}
