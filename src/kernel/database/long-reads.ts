import { JobThread } from '../job-thread.ts'
import { waitAtMost } from '../wait-at-most.ts'
import type { Value } from './sql-parameters.ts'

export interface ReadJob {
  /** Of the database. */
  path: string
  queries: readonly ReadQuery[]
  /** Nothing is asked after it: the store is closed at once. */
  isLast?: boolean
}

export interface ReadQuery {
  sql: string
  values: readonly Value[]
}

/** What each query found. */
export interface ReadAnswer {
  found: object[][]
}

/** Reading the schema takes longer than most questions: the thread keeps the store open while they follow one another, and holds nothing when idle. */
export const OPEN_MS = 1000
/** As long as it takes: a thread does not end within a query. */
const MAX_MS = 3_600_000
/** A thread that reads something long does not keep the server from stopping. */
const END_MS = 1000

/** Reads what takes the longer the larger the store is, in a thread of its own: on the main thread everybody would wait for it. */
export class LongReads implements AsyncDisposable {
  readonly #path: string
  /** How many questions are under way, or were a moment ago: as long as that the thread has the store open. */
  #open = 0
  readonly #thread = new JobThread<ReadJob, ReadAnswer>('read the store', () => new Worker(new URL('./long-reads-worker.ts', import.meta.url).href))

  constructor({ db }: { db: { readonly path: string } }) {
    this.#path = db.path
  }

  /** All queries see the same state of the store: what was committed when the first begins. @param line who asks: all have the same share of the thread's time */
  async ask(queries: readonly ReadQuery[], line: string): Promise<object[][]> {
    this.#open++
    try {
      const { found } = await this.#thread.run({ path: this.#path, queries }, { line, milliseconds: MAX_MS })
      return found
    } finally {
      setTimeout(() => this.#open--, 2 * OPEN_MS).unref()
    }
  }

  /** Who closes the store last merges its log, which the server itself is to do: whoever copies the store afterwards has all of it in one file. */
  async [Symbol.asyncDispose](): Promise<void> {
    const end = () => this.#thread.run({ path: this.#path, queries: [], isLast: true }, { milliseconds: END_MS })
    if (this.#open > 0)
      await waitAtMost(
        end().catch(() => {}),
        END_MS,
      )
    this.#thread.stop()
  }
}
