import type { Database as Sqlite, Statement } from 'bun:sqlite'
import { withSteadyPlan } from './sql-parameters.ts'

/** So many are kept; searches make their text of what was asked. */
const MAX_STATEMENTS = 1000

/** Prepared statements by their text. `Sqlite.query` would keep no more than twenty. */
export class Statements {
  readonly #sqlite: Sqlite
  /** The most recently made last. */
  readonly #known = new Map<string, Statement>()

  constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite
  }

  /** Prepares what is not prepared yet. */
  get(sql: string): Statement {
    const known = this.#known.get(sql)
    if (known) return known
    if (this.#known.size >= MAX_STATEMENTS) this.#forgetOldest()
    const statement = this.#sqlite.prepare(withSteadyPlan(sql))
    this.#known.set(sql, statement)
    return statement
  }

  /** Gives all of them back to SQLite. */
  finalize(): void {
    for (const statement of this.#known.values()) statement.finalize()
    this.#known.clear()
  }

  #forgetOldest(): void {
    for (const [sql, statement] of this.#known) {
      this.#known.delete(sql)
      statement.finalize()
      return
    }
  }
}
