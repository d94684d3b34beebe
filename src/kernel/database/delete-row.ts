import type { Db, Tx } from '../db.ts'
import { defineJob, done } from '../jobs/define-job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { ReferringRows } from './referring-rows.ts'

/** Rows that one step deletes or changes. */
const SLICE = 50

interface Referred {
  services: { get(kind: typeof ReferringRows): ReferringRows }
}

export const clearReferences = defineJob({
  kind: 'kernel.clearReferences',
  title: 'Remove references to deleted rows',
  order: 'newest first',
  step(tx, { table, id }: { table: string; id: number }, cleared: number | undefined, { context }: { context: Referred }) {
    const isOver = context.services.get(ReferringRows).clear(tx, table, id, SLICE) > 0
    return isOver ? done : (cleared ?? 0) + SLICE
  },
})

/**
 * Deletes a row that many other rows reference. A job then deletes or updates those, as their foreign keys say. Until then, queries must ignore
 * rows that reference the deleted row.
 * @param tx a transaction of `txLeavingRows`
 * @param table its ids are never reused; the name is code, never input
 * @returns false if the row does not exist
 */
export function deleteRow<Context extends Referred>({ jobs }: { jobs: Jobs<Context> }, tx: Tx, table: string, id: number): boolean {
  if (tx.run(`DELETE FROM ${table} WHERE id = ?`, id) === 0) return false
  jobs.enqueue(tx, clearReferences, { table, id }, { key: `${table}/${id}` })
  return true
}

/** Whether rows may reference deleted rows of this table. Some views contain the same condition. */
export function isClearing(db: Db, table: string): boolean {
  // `0` is the character after `/`.
  return db.find('SELECT 1 FROM job WHERE kind = ? AND key >= ? AND key < ? LIMIT 1', clearReferences.kind, `${table}/`, `${table}0`) !== undefined
}

/** Returns the tables with deleted rows that other rows may still reference. */
export function listClearing(db: Db): string[] {
  const sql = "SELECT DISTINCT json_extract(args, '$.table') AS name FROM job WHERE kind = ?"
  return db.all<{ name: string }>(sql, clearReferences.kind).map(({ name }) => name)
}
