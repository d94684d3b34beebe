/** Everybody can wait for that long, and nearly all that comes in at once is answered within it. */
const TURN_MS = 5

/**
 * How long requests are answered in one turn of the event loop; the rest have the next ones. What somebody sends on one connection without waiting
 * for answers comes in all in one turn, thousands of requests, and everybody else would wait for the last of them. Once one of those has to wait, Bun
 * ends the connection: it keeps no order of answers.
 */
export class Turns {
  readonly #milliseconds: number
  /** When the first request of this turn came; undefined before it. */
  #since: number | undefined
  readonly #waiting: (() => void)[] = []

  constructor(milliseconds = TURN_MS) {
    this.#milliseconds = milliseconds
  }

  /** Whether what comes now is for `later`: it has to be asked of each request. */
  isOver(): boolean {
    return this.#waiting.length > 0 || this.#isSpent()
  }

  /** Works in a later turn, after what came before. */
  later<T>(work: () => T | Promise<T>): Promise<T> {
    return new Promise((resolve) => this.#waiting.push(() => resolve(Promise.try(work))))
  }

  #isSpent(): boolean {
    if (this.#since !== undefined) return performance.now() - this.#since >= this.#milliseconds
    this.#since = performance.now()
    setImmediate(this.#end)
    return false
  }

  readonly #end = (): void => {
    this.#since = undefined
    while (this.#waiting.length > 0 && !this.#isSpent()) this.#waiting.shift()?.()
  }
}
