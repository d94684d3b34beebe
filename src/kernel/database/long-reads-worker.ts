import { type SQLQueryBindings, Database as Sqlite } from 'bun:sqlite'
import { type JobFailure, READY } from '../job-thread.ts'
import { OPEN_MS, type ReadAnswer, type ReadJob, type ReadQuery } from './long-reads.ts'
import { withSteadyPlan } from './sql-parameters.ts'

/** The entry of the thread that reads what takes long. */
declare const self: { onmessage: (event: MessageEvent<ReadJob>) => void; postMessage: (answer: typeof READY | ReadAnswer | JobFailure) => void }

let store: { path: string; sqlite: Sqlite } | undefined
let closing: Timer | undefined

self.onmessage = ({ data }) => {
  clearTimeout(closing)
  const answer = attempt(data)
  if (data.isLast) close()
  else closing = setTimeout(close, OPEN_MS)
  self.postMessage(answer)
}
self.postMessage(READY)

function attempt({ path, queries }: ReadJob): ReadAnswer | JobFailure {
  try {
    const sqlite = open(path)
    sqlite.run('BEGIN')
    const found = queries.map((query) => ask(sqlite, query))
    sqlite.run('COMMIT')
    return { found }
  } catch (error) {
    close()
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

function ask(sqlite: Sqlite, { sql, values }: ReadQuery): object[] {
  using statement = sqlite.prepare(withSteadyPlan(sql))
  return statement.all(...(values as SQLQueryBindings[])) as object[]
}

function open(path: string): Sqlite {
  if (store?.path !== path) {
    close()
    store = { path, sqlite: new Sqlite(path, { readonly: true, strict: true }) }
    store.sqlite.run('PRAGMA trusted_schema = OFF')
  }
  return store.sqlite
}

function close(): void {
  store?.sqlite.close()
  store = undefined
}
