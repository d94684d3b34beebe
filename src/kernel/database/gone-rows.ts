import { Backlog } from '../backlog.ts'
import type { Database, Db, Tx } from '../db.ts'
import type { Tasks } from '../tasks.ts'
import { ReferringRows } from './referring-rows.ts'

/** Rows done in one transaction: a few milliseconds. */
const SLICE = 50

/**
 * Deletes rows that very many others refer to: they go alone, and what refers to them follows a few rows at a time. Whoever reads those until
 * then finds the row gone that they name, and neither shows them nor lets anybody do anything by them.
 */
export class GoneRows extends Backlog {
  readonly #referring: ReferringRows

  constructor(context: { db: Database; tasks: Tasks; services: { get(kind: typeof ReferringRows): ReferringRows } }) {
    super(context, 'clear what referred to deleted rows', (tx) => this.#clearNext(tx))
    this.#referring = context.services.get(ReferringRows)
  }

  /**
   * @param tx one of `txLeavingRows`
   * @param table whose ids are given to no other; its name is code, never input
   * @returns whether the row was there
   */
  delete(tx: Tx, table: string, id: number): boolean {
    if (tx.run(`DELETE FROM ${table} WHERE id = ?`, id) === 0) return false
    tx.run('INSERT INTO gone_row (table_name, row_id) VALUES (?, ?)', table, id)
    this.begin(tx)
    return true
  }

  /** The latest first: most are over with their first slice, and need not wait for a large one. */
  #clearNext(tx: Tx): boolean {
    const row = findLatest(tx)
    if (row && this.#referring.clear(tx, row.table_name, row.row_id, SLICE) > 0) tx.run('DELETE FROM gone_row WHERE id = ?', row.id)
    return findLatest(tx) !== undefined
  }
}

function findLatest(db: Db) {
  return db.find<{ id: number; table_name: string; row_id: number }>('SELECT * FROM gone_row ORDER BY id DESC LIMIT 1')
}

/** Whether there may be rows that refer to what is gone from this table. */
export function isClearing(db: Db, table: string): boolean {
  return db.find('SELECT 1 FROM gone_row WHERE table_name = ? LIMIT 1', table) !== undefined
}
