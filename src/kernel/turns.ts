import { AsyncLocalStorage } from 'node:async_hooks'

/** Everybody can wait for that long, and nearly all that comes in at once is taken up within it. */
const TURN_MS = 5

type Work = () => void

/**
 * How long what comes in is taken up in one turn of the event loop; of the rest each has a turn to itself, as what it leads to shows only after it
 * was begun. What somebody sends without waiting for answers, what threads have answered meanwhile, and what many wait for together come in all in
 * one turn, and everybody else would wait for the last of it. Requests have every other turn, what was begun has those between them.
 *
 * Once a request has to wait that was sent behind another on its connection, Bun ends the connection: it keeps no order of answers.
 */
export class Turns {
  readonly #milliseconds: number
  /** When this turn's first came; undefined before it. */
  #since: number | undefined
  #isEnding = false
  readonly #requests: Work[] = []
  readonly #begun: Work[] = []
  #isForRequests = false

  constructor(milliseconds = TURN_MS) {
    this.#milliseconds = milliseconds
  }

  /** Whether what comes now has to wait for a turn: it has to be asked of each. */
  isOver(): boolean {
    return this.#isCrowded || this.#isSpent()
  }

  /** Takes up a request in a later turn. */
  later<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#wait(this.#requests, work)
  }

  /** Goes on with what was begun: at once where it is the first of this turn. */
  goOn<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#since !== undefined || this.isOver()) return this.#wait(this.#begun, work)
    return Promise.try(work)
  }

  /** Passes on what several wait for, to each who asks here in a turn of its own. */
  async share<T>(result: Promise<T>): Promise<T> {
    await result.catch(() => {})
    return this.goOn(() => result)
  }

  get #isCrowded(): boolean {
    return this.#requests.length + this.#begun.length > 0
  }

  #wait<T>(line: Work[], work: () => T | Promise<T>): Promise<T> {
    const inContext = AsyncLocalStorage.snapshot()
    this.#endSoon()
    return new Promise((resolve) => line.push(() => resolve(inContext(() => Promise.try(work)))))
  }

  #isSpent(): boolean {
    if (this.#since !== undefined) return performance.now() - this.#since >= this.#milliseconds
    this.#since = performance.now()
    this.#endSoon()
    return false
  }

  #endSoon(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setImmediate(this.#end)
  }

  readonly #end = (): void => {
    this.#isEnding = false
    this.#since = undefined
    if (!this.#isCrowded) return
    this.#isForRequests = this.#requests.length > 0 && (!this.#isForRequests || this.#begun.length === 0)
    ;(this.#isForRequests ? this.#requests : this.#begun).shift()?.()
    if (this.#isCrowded) this.#endSoon()
  }
}

/** Those of the main thread. */
export const mainTurns = new Turns()
