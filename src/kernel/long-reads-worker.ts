import { type SQLQueryBindings, Database as Sqlite } from 'bun:sqlite'
import { type JobFailure, READY } from './job-thread.ts'
import type { ReadAnswer, ReadJob } from './long-reads.ts'
import { withSteadyPlan } from './sql-parameters.ts'

/** The entry of the thread that reads what takes long. */
declare const self: { onmessage: (event: MessageEvent<ReadJob>) => void; postMessage: (answer: typeof READY | ReadAnswer | JobFailure) => void }

self.onmessage = ({ data }) => self.postMessage(attempt(data))
self.postMessage(READY)

/** The store is opened for each job: nothing of it is held by a thread that is idle, or ended. */
function attempt({ path, queries }: ReadJob): ReadAnswer | JobFailure {
  try {
    using sqlite = new Sqlite(path, { readonly: true, strict: true })
    sqlite.run('PRAGMA trusted_schema = OFF')
    sqlite.run('BEGIN')
    return { found: queries.map(({ sql, values }) => sqlite.query(withSteadyPlan(sql)).all(...(values as SQLQueryBindings[])) as object[]) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}
