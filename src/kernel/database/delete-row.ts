import type { Db, Tx } from '../db.ts'
import { defineJob, done } from '../jobs/define-job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { ReferringRows } from './referring-rows.ts'

/** Rows done at a time: a few milliseconds. */
const SLICE = 50

interface Referred {
  services: { get(kind: typeof ReferringRows): ReferringRows }
}

export const clearReferring = defineJob({
  kind: 'kernel.clearReferring',
  title: 'Clear what referred to deleted rows',
  order: 'last first',
  slice(tx, { table, id }: { table: string; id: number }, cleared: number | undefined, { context }: { context: Referred }) {
    const isOver = context.services.get(ReferringRows).clear(tx, table, id, SLICE) > 0
    return isOver ? done : (cleared ?? 0) + SLICE
  },
})

/**
 * Deletes a row that very many others refer to: it goes alone, and what refers to it follows a few rows at a time. Whoever reads those until
 * then finds the row gone that they name, and neither shows them nor lets anybody do anything by them.
 * @param tx one of `txLeavingRows`
 * @param table whose ids are given to no other; its name is code, never input
 * @returns whether the row was there
 */
export function deleteRow<Context extends Referred>({ jobs }: { jobs: Jobs<Context> }, tx: Tx, table: string, id: number): boolean {
  if (tx.run(`DELETE FROM ${table} WHERE id = ?`, id) === 0) return false
  jobs.enqueue(tx, clearReferring, { table, id }, { key: `${table}/${id}` })
  return true
}

/** Whether there may be rows that refer to what is gone from this table. Views ask the same, and name the kind and the range of its keys. */
export function isClearing(db: Db, table: string): boolean {
  // In ASCII, 0 follows the slash.
  return db.find('SELECT 1 FROM job WHERE kind = ? AND key >= ? AND key < ? LIMIT 1', clearReferring.kind, `${table}/`, `${table}0`) !== undefined
}

/** The tables of which that is so. */
export function listClearing(db: Db): string[] {
  const sql = "SELECT DISTINCT json_extract(args, '$.table') AS name FROM job WHERE kind = ?"
  return db.all<{ name: string }>(sql, clearReferring.kind).map(({ name }) => name)
}
