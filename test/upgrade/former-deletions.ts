import { migrate } from '#kernel/database/migrate.ts'
import type { Database, Tx, Value } from '#kernel/db.ts'
import { migrationsOf } from '#kernel/slice.ts'
import { slices } from '#slices.ts'
import { formerStore } from './former-store.ts'

/** The migrations with which deleted rows came back to their tables. */
const firstNew = /^(labels\/3_|milestones\/3_|issues\/18_|pulls\/15_|reviews\/9_|doctor\/1_)/

/** What versions applied that kept deleted rows as JSON: of each room all before the first new one. */
export function formerMigrations() {
  const changed = new Set<string | undefined>()
  return migrationsOf(slices).filter(({ name }) => {
    const room = name.split('/')[0]
    if (firstNew.test(name)) changed.add(room)
    return !changed.has(room)
  })
}

/** A store of those versions, with a few people and repositories. */
export async function storeBeforeSoftDeletion(): Promise<Database> {
  const db = await formerStore()
  migrate(db, formerMigrations())
  return db
}

type Kind = 'comment' | 'label' | 'milestone'

interface Asked {
  kind: Kind
  id: number
  repo_id?: number | null
  org_id?: number | null
  issue_id?: number | null
  author_id?: number | null
  deleted_by?: number | null
  deleted_at?: number
}

const columnsOf = (db: Pick<Tx, 'all'>, table: string) => db.all<{ name: string }>('SELECT name FROM pragma_table_info(?)', table).map(({ name }) => name)

/** Deletes rows as those versions did, a part at a time. */
export class FormerDeletion {
  readonly #db: Database
  readonly #asked: Asked
  readonly #id: number

  constructor(db: Database, asked: Asked) {
    this.#db = db
    this.#asked = asked
    const { kind, id, repo_id = null, org_id = null, issue_id = null, author_id = null, deleted_by = null, deleted_at = 5000 } = asked
    this.#id = db.txLeavingRows((tx) => tx.insert('deletion', { table_name: kind, row_id: id, repo_id, org_id, issue_id, author_id, deleted_by, deleted_at }))
    this.#move(0, kind, 'id = ?', id)
    this.#note(0)
  }

  #move(step: number, table: string, where: string, ...values: Value[]): void {
    const members = columnsOf(this.#db, table).map((name) => `'${name}', "${name}"`)
    this.#db.txLeavingRows((tx) => {
      const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, content) SELECT ?, ?, ?, json_object(${members.join(', ')}) FROM ${table} WHERE ${where}`
      tx.run(sql, this.#id, step, table, ...values)
      const files = 'INSERT OR IGNORE INTO deleted_row_file (deletion_id, digest) SELECT ?, digest FROM attachment WHERE'
      if (table === 'attachment') tx.run(`${files} ${where}`, this.#id, ...values)
      tx.run(`DELETE FROM ${table} WHERE ${where}`, ...values)
    })
  }

  #note(isBack: number): void {
    const sql = 'INSERT OR REPLACE INTO unsettled_row (table_name, row_id, deletion_id, is_back) VALUES (?, ?, ?, ?)'
    this.#db.txLeavingRows((tx) => tx.run(sql, this.#asked.kind, this.#asked.id, this.#id, isBack))
  }

  /** @param where which of those that refer to the row; default: all */
  remove(table: string, column: string, where = '1'): this {
    this.#move(1, table, `${column} = ? AND ${where}`, this.#asked.id)
    return this
  }

  /** The same for rows that stay without the reference. */
  empty(table: string, column: string, where = '1'): this {
    const content = columnsOf(this.#db, table).includes('issue_id') ? "json_object('id', id, 'issue_id', issue_id)" : "json_object('id', id)"
    this.#db.txLeavingRows((tx) => {
      const sql = `INSERT INTO deleted_row (deletion_id, step, table_name, emptied, content) SELECT ?, 0, ?, ?, ${content} FROM ${table}`
      tx.run(`${sql} WHERE ${column} = ? AND ${where}`, this.#id, table, column, this.#asked.id)
      tx.run(`UPDATE ${table} SET ${column} = NULL WHERE ${column} = ? AND ${where}`, this.#asked.id)
    })
    return this
  }

  /** All that referred to it has followed. */
  settle(): void {
    this.#db.txLeavingRows((tx) => tx.run('DELETE FROM unsettled_row WHERE table_name = ? AND row_id = ?', this.#asked.kind, this.#asked.id))
  }

  /** Begins to restore it: the row is there again, and all that referred to it is still to follow. */
  restoreAlone(): void {
    const { kind } = this.#asked
    const columns = columnsOf(this.#db, kind)
    this.#db.txLeavingRows((tx) => {
      const of = 'deletion_id = ? AND step = 0 AND table_name = ? AND emptied IS NULL'
      const values = columns.map((name) => `json_extract(content, '$.${name}')`)
      tx.run(`INSERT INTO ${kind} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM deleted_row WHERE ${of}`, this.#id, kind)
      tx.run(`DELETE FROM deleted_row WHERE ${of}`, this.#id, kind)
    })
    this.#note(1)
  }

  /** Removes it for good, without what still refers to it. */
  forget(): void {
    this.#db.txLeavingRows((tx) => {
      tx.run('DELETE FROM deleted_row_file WHERE deletion_id = ?', this.#id)
      tx.run('DELETE FROM deleted_row WHERE deletion_id = ?', this.#id)
      tx.run('UPDATE unsettled_row SET deletion_id = NULL WHERE deletion_id = ?', this.#id)
      tx.run('DELETE FROM deletion WHERE id = ?', this.#id)
    })
  }
}
