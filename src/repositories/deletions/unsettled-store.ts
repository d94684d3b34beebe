import type { Db, Tx } from '#kernel/db.ts'
import type { DeletableTable } from './store.ts'

/** A row that was deleted or is there again, which some of what refers to it has not followed yet. */
export interface UnsettledRow {
  id: number
  table_name: DeletableTable
  row_id: number
  /** Where the rows that refer to it are kept; null: nowhere. */
  deletion_id: number | null
  is_back: number
}

export function findUnsettled(db: Db, table: DeletableTable, rowId: number): UnsettledRow | undefined {
  return db.find<UnsettledRow>('SELECT * FROM unsettled_row WHERE table_name = ? AND row_id = ?', table, rowId)
}

/** Most are over with the first of their rows, and need not wait for who has very many. */
export function findLatestUnsettled(db: Db): UnsettledRow | undefined {
  return db.find<UnsettledRow>('SELECT * FROM unsettled_row ORDER BY id DESC LIMIT 1')
}

/** What is known of the row already is known no more. */
export function noteUnsettled(tx: Tx, row: Omit<UnsettledRow, 'id'>): void {
  const sql = 'INSERT OR REPLACE INTO unsettled_row (table_name, row_id, deletion_id, is_back) VALUES (?, ?, ?, ?)'
  tx.run(sql, row.table_name, row.row_id, row.deletion_id, row.is_back)
}

export function forgetUnsettled(tx: Tx, id: number): void {
  tx.run('DELETE FROM unsettled_row WHERE id = ?', id)
}
