import { JobThread } from './job-thread.ts'
import type { Value } from './sql-parameters.ts'

export interface ReadJob {
  /** Of the database. */
  path: string
  queries: readonly ReadQuery[]
}

export interface ReadQuery {
  sql: string
  values: readonly Value[]
}

/** What each query found. */
export interface ReadAnswer {
  found: object[][]
}

/** As long as it takes: a thread does not end within a query. */
const MAX_MS = 3_600_000

/** Reads what takes the longer the larger the store is, in a thread of its own: on the main thread everybody would wait for it. */
export class LongReads implements Disposable {
  readonly #path: string
  readonly #thread = new JobThread<ReadJob, ReadAnswer>('read the store', () => new Worker(new URL('./long-reads-worker.ts', import.meta.url).href))

  constructor({ db }: { db: { readonly path: string } }) {
    this.#path = db.path
  }

  /** All queries see the same state of the store: what was committed when the first begins. @param line who asks: all have the same share of the thread's time */
  async ask(queries: readonly ReadQuery[], line: string): Promise<object[][]> {
    const { found } = await this.#thread.run({ path: this.#path, queries }, { line, milliseconds: MAX_MS })
    return found
  }

  [Symbol.dispose](): void {
    this.#thread.stop()
  }
}
