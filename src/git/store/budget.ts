import { GitError } from '../errors.ts'

/** What finding and beginning one entry of a pack costs, beside the bytes that it comes to. */
export const ENTRY_COST = 64

/** How many bytes a look may inflate, those of all deltas and bases on the way included: what an object is said to measure does not tell that. */
export class Budget {
  #left: number

  constructor(bytes: number) {
    this.#left = bytes
  }

  get left(): number {
    return this.#left
  }

  /** Asked before the work, not after it. @throws GitError `limit` when that is more than is left */
  take(bytes: number): void {
    if (bytes > this.#left) throw new GitError('limit', `Cannot read object: ${bytes} more bytes are over the limit of one operation`)
    this.#left -= bytes
  }
}

/** What was inflated and is of use no more piles up until the collector is called: by itself it goes by the size of what is alive. */
const MOST_DROPPED_BYTES = 24 * 1024 * 1024

/** No bound, for work that reads very much and keeps little of it: that is collected now and then. */
export class CollectedBudget extends Budget {
  #dropped = 0

  constructor() {
    super(Number.POSITIVE_INFINITY)
  }

  override take(bytes: number): void {
    this.#dropped += bytes
    if (this.#dropped < MOST_DROPPED_BYTES) return
    this.#dropped = 0
    Bun.gc(true)
  }
}
