import type { Db, Tx } from '#kernel/db.ts'

/** A column whose values name rows of another table, by a column of that one. Names come from the schema, never from input. */
interface Reference {
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
 * Keeps a row, all rows that go with it when it is deleted, and which columns of others are emptied then. What these are is read from the
 * schema: a table that refers to this one by a foreign key takes part by that alone.
 */
export function keepRows(tx: Tx, deletionId: number, table: string, id: number): void {
  copyRows(tx, deletionId, 0, table, 'id = ?', id)
  for (const { table: other, column } of referencesTo(tx, table).filter(({ onDelete }) => onDelete === 'SET NULL')) {
    if (columnsOf(tx, other).includes('id')) noteEmptied(tx, deletionId, other, column, id)
  }
  let tables = [table]
  for (let step = 1; tables.length > 0 && step <= MAX_STEPS; step++) tables = keepNext(tx, deletionId, step, tables)
  keepFiles(tx, deletionId)
}

/** @returns the tables in which something was found */
function keepNext(tx: Tx, deletionId: number, step: number, tables: readonly string[]): string[] {
  const found = new Set<string>()
  for (const table of tables) {
    for (const { table: other, column } of referencesTo(tx, table).filter(({ onDelete }) => onDelete === 'CASCADE')) {
      const parents = 'SELECT row_id FROM deleted_row WHERE deletion_id = ? AND step = ? AND table_name = ?'
      if (copyRows(tx, deletionId, step, other, `${column} IN (${parents})`, deletionId, step - 1, table) > 0) found.add(other)
    }
  }
  return [...found]
}

function copyRows(tx: Tx, deletionId: number, step: number, table: string, where: string, ...values: (number | string)[]): number {
  const members = columnsOf(tx, table).map((name) => `'${name}', "${name}"`)
  const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, content) SELECT ?, ?, ?, json_object(${members.join(', ')}) FROM ${table} WHERE ${where}`
  return tx.run(sql, deletionId, step, table, ...values)
}

function noteEmptied(tx: Tx, deletionId: number, table: string, column: string, id: number): void {
  const content = columnsOf(tx, table).includes('issue_id') ? "json_object('id', id, 'issue_id', issue_id)" : "json_object('id', id)"
  const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, emptied, content) SELECT ?, 0, ?, ?, ${content} FROM ${table} WHERE ${column} = ?`
  tx.run(sql, deletionId, table, column, id)
}

function keepFiles(tx: Tx, deletionId: number): void {
  for (const { table, column } of referencesTo(tx, 'blob')) {
    const sql = `INSERT OR IGNORE INTO deleted_row_file (deletion_id, digest)
      SELECT deletion_id, content ->> '$.${column}' FROM deleted_row WHERE deletion_id = ? AND table_name = ? AND emptied IS NULL`
    tx.run(sql, deletionId, table)
  }
}

/**
 * Puts rows back under the ids that they had, which are given to no other. What belonged to something that is gone by now stays away,
 * what only named it is there without it.
 * @param resets columns of what was deleted itself that triggers count up again as the rest comes back
 * @returns whether what was deleted itself is there again
 */
export function putRowsBack(tx: Tx, deletionId: number, resets: readonly string[]): boolean {
  const kept = tx.all<{ step: number; table: string }>(
    'SELECT DISTINCT step, table_name AS "table" FROM deleted_row WHERE deletion_id = ? AND emptied IS NULL ORDER BY step, table_name',
    deletionId,
  )
  const counts = kept.map(({ step, table }) => insertRows(tx, deletionId, step, table, step === 0 ? resets : []))
  if (counts[0] !== 1) return false
  fillEmptied(tx, deletionId)
  return true
}

function insertRows(tx: Tx, deletionId: number, step: number, table: string, resets: readonly string[]): number {
  const of = 'WHERE deletion_id = ? AND step = ? AND table_name = ? AND emptied IS NULL'
  // Columns that a later version brought get what they are by default.
  const had = tx.all<{ key: string }>(`SELECT key FROM json_each((SELECT content FROM deleted_row ${of} LIMIT 1))`, deletionId, step, table)
  const columns = columnsOf(tx, table).filter((name) => had.some(({ key }) => key === name))
  const owed = tx.all<Reference>(`${references} AND m.name = ?`, table)
  const isThere = ({ to, toColumn, column }: Reference) => `EXISTS (SELECT 1 FROM ${to} AS other WHERE other."${toColumn}" = content ->> '$.${column}')`
  const values = columns.map((name) => {
    if (resets.includes(name)) return '0'
    const named = owed.find(({ column, onDelete }) => column === name && onDelete === 'SET NULL')
    return named ? `iif(${isThere(named)}, content ->> '$.${name}', NULL)` : `content ->> '$.${name}'`
  })
  const needed = owed.filter(({ onDelete }) => onDelete !== 'SET NULL').map((one) => `AND (content ->> '$.${one.column}' IS NULL OR ${isThere(one)})`)
  const names = columns.map((name) => `"${name}"`).join(', ')
  const sql = `INSERT OR IGNORE INTO ${table} (${names}) SELECT ${values.join(', ')} FROM deleted_row ${of} ${needed.join(' ')} ORDER BY id`
  return tx.run(sql, deletionId, step, table)
}

/** Of those that have not been filled with something else since. */
function fillEmptied(tx: Tx, deletionId: number): void {
  const all = tx.all<{ table: string; column: string }>(
    'SELECT DISTINCT table_name AS "table", emptied AS "column" FROM deleted_row WHERE deletion_id = ? AND emptied IS NOT NULL',
    deletionId,
  )
  for (const { table, column } of all) {
    const ids = 'SELECT row_id FROM deleted_row WHERE deletion_id = ? AND table_name = ? AND emptied = ?'
    const sql = `UPDATE ${table} SET ${column} = (SELECT row_id FROM deletion WHERE id = ?) WHERE id IN (${ids}) AND ${column} IS NULL`
    tx.run(sql, deletionId, deletionId, table, column)
  }
}

function referencesTo(db: Db, table: string): Reference[] {
  return db.all<Reference>(`${references} AND f."table" = ?`, table)
}

/** Generated ones are left out. */
function columnsOf(db: Db, table: string): string[] {
  return db.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name)
}
