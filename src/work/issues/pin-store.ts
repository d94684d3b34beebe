import type { Db, Tx } from '#kernel/db.ts'
import type { IssueRow } from './store.ts'

/** By their order. */
export function listPinned(db: Db, repoId: number, isPull: number): IssueRow[] {
  return db.all<IssueRow>('SELECT * FROM issue WHERE repo_id = ? AND is_pull = ? AND pin_order > 0 ORDER BY pin_order', repoId, isPull)
}

/** Numbers them from 1 on, in this order. */
export function orderPins(tx: Tx, ids: readonly number[]): void {
  for (const [at, id] of ids.entries()) tx.run('UPDATE issue SET pin_order = ? WHERE id = ?', at + 1, id)
}

export function unpinRow(tx: Tx, id: number): void {
  tx.run('UPDATE issue SET pin_order = 0 WHERE id = ?', id)
}
