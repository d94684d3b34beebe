import type { Db, Tx } from '#kernel/db.ts'
import type { DeletableTable } from './store.ts'

/** Issues are deleted for good. */
export type SettledTable = DeletableTable | 'issue'

/** A row that was deleted or is there again, which some of what refers to it has not followed yet. */
export interface UnsettledRow {
  id: number
  table_name: SettledTable
  row_id: number
  /** Where the rows that refer to it are kept; null: nowhere. */
  deletion_id: number | null
  is_back: number
}

export function findUnsettled(db: Db, table: SettledTable, rowId: number): UnsettledRow | undefined {
  return db.find<UnsettledRow>('SELECT * FROM unsettled_row WHERE table_name = ? AND row_id = ?', table, rowId)
}

export function findFirstUnsettled(db: Db): UnsettledRow | undefined {
  return db.find<UnsettledRow>('SELECT * FROM unsettled_row ORDER BY id LIMIT 1')
}

/** Whether there may be rows that refer to what is gone from this table. */
export function isSettling(db: Db, table: SettledTable): boolean {
  return db.find('SELECT 1 FROM unsettled_row WHERE table_name = ? LIMIT 1', table) !== undefined
}

/** What is known of the row already is known no more. */
export function noteUnsettled(tx: Tx, row: Omit<UnsettledRow, 'id'>): void {
  const sql = 'INSERT OR REPLACE INTO unsettled_row (table_name, row_id, deletion_id, is_back) VALUES (?, ?, ?, ?)'
  tx.run(sql, row.table_name, row.row_id, row.deletion_id, row.is_back)
}

export function forgetUnsettled(tx: Tx, id: number): void {
  tx.run('DELETE FROM unsettled_row WHERE id = ?', id)
}
