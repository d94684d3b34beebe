import { lineOf, type UserRow, type Viewer, visibleAccounts } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
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
export function listBlocked(db: LongDb, viewer: Viewer, blockerId: number, page: Page): Promise<{ rows: BlockedRow[]; total: number }> {
  const visible = visibleAccounts(viewer)
  const list = {
    columns: 'user.*, block.created_at AS blocked_at, block.note',
    from: `FROM block JOIN user ON user.id = blocked_id WHERE blocker_id = ? AND ${visible.sql}`,
    order: 'blocked_id',
    values: [blockerId, ...visible.values],
  }
  return pageAside(db, lineOf(viewer), list, page)
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
