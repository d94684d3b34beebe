import type { Database, Tx } from '../db.ts'

/** A column whose values name rows of another table by their `id`. Names come from the schema, never from input. */
export interface Reference {
  table: string
  column: string
  to: string
  /** What becomes of its rows when those that they name are deleted; of no others is anything known here. */
  onDelete: 'CASCADE' | 'SET NULL'
}

/** Without an index that holds all of them, the rows would be looked for in the whole table. */
const IS_INDEXED = `(EXISTS (SELECT 1 FROM pragma_table_info(m.name) AS t WHERE t.pk = 1 AND t.name = f."from") OR EXISTS (
  SELECT 1 FROM pragma_index_list(m.name) AS l JOIN pragma_index_info(l.name) AS c LEFT JOIN sqlite_schema AS i ON i.name = l.name
  WHERE c.seqno = 0 AND c.name = f."from" AND (l.partial = 0 OR i.sql LIKE '%WHERE ' || f."from" || ' IS NOT NULL')))`
const REFERENCES = `SELECT m.name AS "table", f."from" AS "column", f."table" AS "to", f.on_delete AS onDelete
  FROM sqlite_schema AS m JOIN pragma_foreign_key_list(m.name) AS f
  WHERE m.type = 'table' AND ifnull(f."to", 'id') = 'id' AND f.on_delete IN ('CASCADE', 'SET NULL') AND ${IS_INDEXED}`
const KEYS = `SELECT m.name AS "table", group_concat('"' || c.name || '"' ORDER BY c.pk) AS "key", max(c.name = 'id') AS hasId
  FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND c.pk > 0 GROUP BY m.name`

/** So far rows are followed to those that refer to them; what is left then goes with the row, as SQLite does it: chains of a few rows are long. */
const MAX_DEPTH = 5
/** Rows done in one transaction when all are: a few milliseconds. */
const SLICE = 25

/**
 * What the deletion of a row does to those that refer to it, by the foreign keys of the schema, done a few rows at a time: as part of the
 * deletion it would be one statement, which holds everybody for as long as it takes. A column without an index is passed over: its rows have
 * to go by another one.
 */
export class ReferringRows {
  readonly #db: Database
  readonly #byTable: ReadonlyMap<string, readonly Reference[]>
  readonly #keys: ReadonlyMap<string, { key: string; hasId: number }>

  /** Reads the schema. */
  constructor({ db }: { db: Database }) {
    this.#db = db
    this.#keys = new Map(db.all<{ table: string; key: string; hasId: number }>(KEYS).map((one) => [one.table, one]))
    const all = db.all<Reference>(REFERENCES)
    const byTable = Map.groupBy(all, ({ to }) => to)
    // Little hangs on most; where much does, that goes last.
    const weight = ({ table, onDelete }: Reference) => (onDelete === 'CASCADE' ? (byTable.get(table)?.length ?? 0) : 0)
    this.#byTable = new Map(byTable.entries().map(([table, references]) => [table, references.toSorted((a, b) => weight(a) - weight(b))]))
  }

  /**
   * Does all of it, a few rows in a transaction, which others need not wait for.
   * @param tasks end it where the server stops
   * @returns false when they did
   */
  async clearAll(tasks: { isStopping: boolean }, table: string, id: number, isWanted?: (reference: Reference) => boolean): Promise<boolean> {
    while (this.#db.provisional((tx) => this.clear(tx, table, id, SLICE, isWanted)) === 0) {
      if (tasks.isStopping) return false
      await this.#db.rest()
    }
    return true
  }

  /**
   * Deletes or empties what refers to the row with this id, which may be gone already.
   * @param budget how many rows at most
   * @param isWanted which of the row's own references; default: all
   * @returns how much of the budget is left; 0: there may be more
   */
  clear(tx: Tx, table: string, id: number, budget: number, isWanted: (reference: Reference) => boolean = () => true): number {
    return this.#clearBelow(tx, { table, id, depth: 0 }, budget, isWanted)
  }

  #clearBelow(tx: Tx, { table, id, depth }: { table: string; id: number; depth: number }, budget: number, isWanted: (reference: Reference) => boolean): number {
    let left = budget
    for (const reference of depth === MAX_DEPTH ? [] : (this.#byTable.get(table) ?? [])) {
      if (!isWanted(reference)) continue
      left = reference.onDelete === 'SET NULL' ? this.#empty(tx, reference, id, left) : this.#remove(tx, reference, { id, depth }, left)
      if (left === 0) break
    }
    return left
  }

  #empty(tx: Tx, { table, column }: Reference, id: number, left: number): number {
    return left - tx.run(`UPDATE ${table} SET "${column}" = NULL WHERE ${this.#some(table, column)}`, id, left)
  }

  #remove(tx: Tx, { table, column }: Reference, { id, depth }: { id: number; depth: number }, budget: number): number {
    if (!this.#byTable.has(table) || !this.#keys.get(table)?.hasId)
      return budget - tx.run(`DELETE FROM ${table} WHERE ${this.#some(table, column)}`, id, budget)
    let left = budget
    while (left > 0) {
      const row = tx.find<{ id: number }>(`SELECT id FROM ${table} WHERE "${column}" = ? LIMIT 1`, id)
      if (!row) break
      left = this.#clearBelow(tx, { table, id: row.id, depth: depth + 1 }, left, () => true)
      if (left > 0) left -= tx.run(`DELETE FROM ${table} WHERE id = ?`, row.id)
    }
    return left
  }

  #some(table: string, column: string): string {
    const key = this.#keys.get(table)?.key ?? 'rowid'
    return `(${key}) IN (SELECT ${key} FROM ${table} WHERE "${column}" = ? LIMIT ?)`
  }
}
