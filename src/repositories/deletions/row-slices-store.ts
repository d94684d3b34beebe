import type { Db, Tx } from '#kernel/db.ts'
import { copyRows, fillColumn, insertRows, keepFollowing, noteEmptied, type Reference, referencesTo } from './rows-store.ts'

/** Keeps a row alone, and deletes it. */
export function keepAlone(tx: Tx, deletionId: number, table: string, id: number): void {
  copyRows(tx, deletionId, 0, table, 'id = ?', id)
}

/**
 * Keeps the next of what refers to a row that is gone, and has it follow: it is removed with all that goes with it, or emptied.
 * @returns how many of those that refer to it these were; fewer than `limit`: there are no more
 */
export function keepNextRows(tx: Tx, deletionId: number, table: string, id: number, limit: number): number {
  let left = limit
  for (const reference of referencesTo(tx, table)) {
    if (left > 0) left -= keepReferring(tx, deletionId, reference, id, left)
  }
  return limit - left
}

function keepReferring(tx: Tx, deletionId: number, { table, column, onDelete }: Reference, id: number, limit: number): number {
  const key = keyOf(tx, table)
  const found = tx.all<Record<string, string | number>>(`SELECT ${key.map(quoted).join(', ')} FROM ${table} WHERE ${column} = ? LIMIT ?`, id, limit)
  if (found.length === 0) return 0
  const given = `SELECT ${key.map((_, at) => `value ->> ${at}`).join(', ')} FROM json_each(?)`
  const where = `(${key.map(quoted).join(', ')}) IN (${given})`
  const keys = JSON.stringify(found.map((row) => key.map((name) => row[name])))
  if (onDelete === 'SET NULL') {
    if (key.includes('id')) noteEmptied(tx, deletionId, table, column, where, keys)
    tx.run(`UPDATE ${table} SET ${column} = NULL WHERE ${where}`, keys)
  } else {
    const since = tx.find<{ id: number | null }>('SELECT max(id) AS id FROM deleted_row')?.id ?? 0
    copyRows(tx, deletionId, 1, table, where, keys)
    keepFollowing(tx, deletionId, 1, table, since)
    tx.run(`DELETE FROM ${table} WHERE ${where}`, keys)
  }
  return found.length
}

/** Puts the row back that was kept alone. @returns false where what it belonged to is gone */
export function putAloneBack(tx: Tx, deletionId: number, table: string): boolean {
  const isBack = insertRows(tx, deletionId, 0, table) === 1
  tx.run('DELETE FROM deleted_row WHERE deletion_id = ? AND step = 0 AND table_name = ? AND emptied IS NULL', deletionId, table)
  return isBack
}

/** Puts the next of the rows back that are kept, as `insertRows` does. @returns how many; fewer than `limit`: there are no more */
export function putNextRowsBack(tx: Tx, deletionId: number, limit: number): number {
  let left = limit
  for (let done = 1; left > 0 && done > 0; left -= done) done = putAlikeBack(tx, deletionId, left)
  return limit - left
}

/** The same for the first of them and those of its kind. */
function putAlikeBack(tx: Tx, deletionId: number, limit: number): number {
  const first = tx.find<{ step: number; table: string; emptied: string | null }>(
    'SELECT step, table_name AS "table", emptied FROM deleted_row WHERE deletion_id = ? ORDER BY step, table_name, id LIMIT 1',
    deletionId,
  )
  if (!first) return 0
  const { step, table, emptied } = first
  const of = 'deletion_id = ? AND step = ? AND table_name = ? AND emptied IS ?'
  const which = [deletionId, step, table, emptied] as const
  const ids = `SELECT id FROM deleted_row WHERE ${of} ORDER BY id LIMIT ?`
  const until = tx.find<{ id: number }>(`SELECT max(id) AS id FROM (${ids})`, ...which, limit)?.id ?? 0
  if (emptied === null) insertRows(tx, deletionId, step, table, until)
  else fillColumn(tx, deletionId, table, emptied, until)
  return tx.run(`DELETE FROM deleted_row WHERE ${of} AND id <= ?`, ...which, until)
}

/** The columns of its primary key. */
function keyOf(db: Db, table: string): string[] {
  return db.all<{ name: string }>('SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk', table).map(({ name }) => name)
}

function quoted(name: string): string {
  return `"${name}"`
}
