import type { Database, Tx } from './db.ts'
import { retryAfter, type Tasks } from './tasks.ts'

/**
 * Work that may be very much: it is noted in the transaction that makes it necessary, and done afterwards, a slice in a transaction, with
 * others having their turn in between. There is one run at a time; it ends where the server stops, and what is left is gone on with at the
 * next start, as `Slice.backlogs` says. Where a slice fails, the disk being full, it is tried again a little later.
 */
export class Backlog {
  readonly #db: Database
  readonly #tasks: Tasks
  readonly #name: string
  readonly #next: (tx: Tx) => boolean
  #isUnderWay = false
  #run = Promise.resolve()
  #failures = 0
  #isRetrying = false

  /**
   * @param name of the work, as the log tells of it
   * @param next does the next slice, a few milliseconds of it; returns whether there may be more
   */
  constructor({ db, tasks }: { db: Database; tasks: Tasks }, name: string, next: (tx: Tx) => boolean) {
    this.#db = db
    this.#tasks = tasks
    this.#name = name
    this.#next = next
  }

  /** For the transaction that notes something: a first slice is done before its caller goes on, which is all there is of most. */
  begin(tx: Tx): void {
    tx.onCommit(() => void this.run())
  }

  /** Resolves when nothing is left, when the server stops, or after a failure. */
  run(): Promise<void> {
    if (this.#isUnderWay) return this.#run
    this.#isUnderWay = true
    let isOver = false
    const work = async () => {
      while (!this.#tasks.isStopping && this.#db.provisional(this.#next)) await this.#db.rest()
      // Whoever notes something from here on begins anew.
      isOver = true
      this.#isUnderWay = false
      this.#failures = 0
    }
    this.#run = this.#tasks.start(this.#name, work).then(() => {
      if (!isOver) this.#tryAgain()
    })
    return this.#run
  }

  #tryAgain(): void {
    this.#isUnderWay = false
    if (this.#isRetrying || this.#tasks.isStopping) return
    this.#isRetrying = true
    this.#tasks.later(retryAfter(this.#failures++), this.#name, () => {
      this.#isRetrying = false
      return this.run()
    })
  }
}

/**
 * A slice of many small things: does one after the other.
 * @param room until they come to this
 * @param next does the next one; returns how much that was, undefined when nothing was left
 * @returns whether there may be more
 */
export function fillSlice(room: number, next: () => number | undefined): boolean {
  for (let left = room; left > 0; ) {
    const done = next()
    if (done === undefined) return false
    left -= done
  }
  return true
}
