import { numberedFrom, type Value } from './sql-parameters.ts'

/** A query that can be asked together with others. Its columns have names of their own, and none holds bytes. */
export interface Question<T> {
  sql: string
  values: readonly Value[]
  /** What a row is. Never there: it tells the types apart. */
  readonly row?: T
}

/** A query with its values. */
export function question<T>(sql: string, ...values: Value[]): Question<T> {
  return { sql, values }
}

/** Where there is nothing to be found. */
export const nothingAsked: Question<never> = { sql: 'SELECT 1 AS none WHERE 0', values: [] }

/** Several of them, by what they are called. */
export type Questions<T> = { readonly [Name in keyof T]: Question<T[Name]> }
/** The rows that each finds, in its order. */
export type Answers<T> = { [Name in keyof T]: T[Name][] }

/** As many statements are kept; those for what a viewer may see are made of who that is. */
const MOST_KEPT = 1000

/** Several queries as one statement, which finds a row of lists, and what their columns are. */
interface Joined {
  sql: string
  columns: string[][]
}

interface Asking {
  /** The names of what a query finds. */
  columnsOf(sql: string): string[]
  find(sql: string, values: readonly Value[]): Record<string, string> | undefined
}

/** Asks several questions by one statement: taking one costs more than a short query does. */
export class JoinedQuestions {
  /** By the texts of its queries. */
  readonly #kept = new Map<string, Joined>()

  ask<T extends object>(questions: Questions<T>, asking: Asking): Answers<T> {
    const asked = Object.entries<Questions<T>[keyof T]>(questions)
    const queries = asked.map(([, { sql }]) => sql)
    const { sql, columns } = this.#joined(queries, asking)
    const values = asked.flatMap(([, question]) => question.values)
    const found = asking.find(sql, values)
    return Object.fromEntries(asked.map(([name], i) => [name, rowsIn(found?.[`q${i}`] ?? '[]', columns[i] ?? [])])) as Answers<T>
  }

  #joined(queries: readonly string[], asking: Asking): Joined {
    const key = queries.join('\0')
    const kept = this.#kept.get(key)
    if (kept) return kept
    if (this.#kept.size >= MOST_KEPT) this.#kept.clear()
    const joined = join(queries, asking.columnsOf)
    this.#kept.set(key, joined)
    return joined
  }
}

function join(queries: readonly string[], columnsOf: Asking['columnsOf']): Joined {
  const columns = queries.map(columnsOf)
  let given = 0
  const lists = queries.map((query, i) => {
    const { sql, count } = numberedFrom(given, query)
    given += count
    const row = columns[i]?.map((name) => `q."${name}"`).join(', ')
    return `(SELECT json_group_array(json_array(${row})) FROM (${sql}) AS q) AS q${i}`
  })
  return { sql: `SELECT ${lists.join(', ')}`, columns }
}

function rowsIn(json: string, names: readonly string[]): object[] {
  return (JSON.parse(json) as Value[][]).map((values) => {
    const row: Record<string, Value | undefined> = {}
    for (const [i, name] of names.entries()) row[name] = values[i]
    return row
  })
}
