import type { Db, Tx } from '#kernel/db.ts'

/** A column whose values name rows of another table, by a column of that one. Names come from the schema, never from input. */
export interface Reference {
  table: string
  column: string
  to: string
  toColumn: string
  onDelete: string
}

const references = `SELECT m.name AS "table", f."from" AS "column", f."table" AS "to", ifnull(f."to", 'id') AS toColumn, f.on_delete AS onDelete
  FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table'`

/** No chain of references in the schema is longer; it would be one that leads back to itself. */
const MAX_STEPS = 8

/**
 * Keeps what goes with the rows of a table that are kept at this step, and so on.
 * @param since only with those that are kept after this id of `deleted_row`
 */
export function keepFollowing(tx: Tx, deletionId: number, step: number, table: string, since = 0): void {
  let tables = [table]
  for (let next = step + 1; tables.length > 0 && next <= MAX_STEPS; next++) tables = keepNext(tx, deletionId, next, tables, since)
  keepFiles(tx, deletionId, since)
}

/** @returns the tables in which something was found */
function keepNext(tx: Tx, deletionId: number, step: number, tables: readonly string[], since: number): string[] {
  const found = new Set<string>()
  for (const table of tables) {
    for (const { table: other, column } of referencesTo(tx, table).filter(({ onDelete }) => onDelete === 'CASCADE')) {
      const parents = 'SELECT row_id FROM deleted_row WHERE deletion_id = ? AND step = ? AND table_name = ? AND id > ?'
      if (copyRows(tx, deletionId, step, other, `${column} IN (${parents})`, deletionId, step - 1, table, since) > 0) found.add(other)
    }
  }
  return [...found]
}

export function copyRows(tx: Tx, deletionId: number, step: number, table: string, where: string, ...values: (number | string)[]): number {
  const members = columnsOf(tx, table).map((name) => `'${name}', "${name}"`)
  const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, content) SELECT ?, ?, ?, json_object(${members.join(', ')}) FROM ${table} WHERE ${where}`
  return tx.run(sql, deletionId, step, table, ...values)
}

export function noteEmptied(tx: Tx, deletionId: number, table: string, column: string, where: string, value: number | string): void {
  const content = columnsOf(tx, table).includes('issue_id') ? "json_object('id', id, 'issue_id', issue_id)" : "json_object('id', id)"
  const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, emptied, content) SELECT ?, 0, ?, ?, ${content} FROM ${table} WHERE ${where}`
  tx.run(sql, deletionId, table, column, value)
}

function keepFiles(tx: Tx, deletionId: number, since: number): void {
  const steps = Array.from({ length: MAX_STEPS + 1 }, (_, step) => step).join(', ')
  for (const { table, column } of referencesTo(tx, 'blob')) {
    const sql = `INSERT OR IGNORE INTO deleted_row_file (deletion_id, digest) SELECT deletion_id, content ->> '$.${column}'
      FROM deleted_row WHERE deletion_id = ? AND step IN (${steps}) AND table_name = ? AND id > ? AND emptied IS NULL`
    tx.run(sql, deletionId, table, since)
  }
}

/**
 * Puts rows back under the ids that they had, which are given to no other. What belonged to something that is gone by now stays away,
 * what only named it is there without it.
 * @param until the last of them, by its id in `deleted_row`; default: all
 */
export function insertRows(tx: Tx, deletionId: number, step: number, table: string, until = Number.MAX_SAFE_INTEGER): number {
  const of = 'WHERE deletion_id = ? AND step = ? AND table_name = ? AND emptied IS NULL AND id <= ?'
  const which = [deletionId, step, table, until] as const
  // Columns that a later version brought get what they are by default.
  const had = tx.all<{ key: string }>(`SELECT key FROM json_each((SELECT content FROM deleted_row ${of} LIMIT 1))`, ...which)
  const columns = columnsOf(tx, table).filter((name) => had.some(({ key }) => key === name))
  const owed = tx.all<Reference>(`${references} AND m.name = ?`, table)
  const isThere = ({ to, toColumn, column }: Reference) => `EXISTS (SELECT 1 FROM ${to} AS other WHERE other."${toColumn}" = content ->> '$.${column}')`
  const values = columns.map((name) => {
    const named = owed.find(({ column, onDelete }) => column === name && onDelete === 'SET NULL')
    return named ? `iif(${isThere(named)}, content ->> '$.${name}', NULL)` : `content ->> '$.${name}'`
  })
  const needed = owed.filter(({ onDelete }) => onDelete !== 'SET NULL').map((one) => `AND (content ->> '$.${one.column}' IS NULL OR ${isThere(one)})`)
  const names = columns.map((name) => `"${name}"`).join(', ')
  const sql = `INSERT OR IGNORE INTO ${table} (${names}) SELECT ${values.join(', ')} FROM deleted_row ${of} ${needed.join(' ')} ORDER BY id`
  return tx.run(sql, ...which)
}

/** Of those that have not been filled with something else since. @param until as with `insertRows` */
export function fillColumn(tx: Tx, deletionId: number, table: string, column: string, until = Number.MAX_SAFE_INTEGER): void {
  const ids = 'SELECT row_id FROM deleted_row WHERE deletion_id = ? AND step = 0 AND table_name = ? AND emptied = ? AND id <= ?'
  const sql = `UPDATE ${table} SET ${column} = (SELECT row_id FROM deletion WHERE id = ?) WHERE id IN (${ids}) AND ${column} IS NULL`
  tx.run(sql, deletionId, deletionId, table, column, until)
}

export function referencesTo(db: Db, table: string): Reference[] {
  return db.all<Reference>(`${references} AND f."table" = ?`, table)
}

/** Generated ones are left out. */
function columnsOf(db: Db, table: string): string[] {
  return db.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name)
}
