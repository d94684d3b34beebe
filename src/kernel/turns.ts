import { AsyncLocalStorage } from 'node:async_hooks'
import { FairLine } from './fair-line.ts'

/**
 * Everybody can wait for that long, and nearly all that comes in at once is taken up within it: of an answer that is given in a later turn, and has
 * 15 kB or more, Bun sends each part of the header by itself, which takes four times as long as all the rest.
 */
const TURN_MS = 10
/** How many requests one turn takes up after a crowd, however little each does before it first waits: what it leads to shows only then. */
const AT_ONCE = 4

type Work = () => void

/** Set for what is taken up from a line: see `FairLine`. */
const senders = new AsyncLocalStorage<readonly string[]>()

/** Who has sent the request that this is done for; nobody where that was not told, there being no crowd when it came. */
export function currentSenders(): readonly string[] {
  return senders.getStore() ?? []
}

/**
 * How long requests are taken up in one turn of the event loop; the rest have the next ones, a few in each. What somebody sends on one connection
 * without waiting for answers comes in all in one turn, thousands of requests, and everybody else would wait for the last of them. Once one of those
 * has to wait, Bun ends the connection: it keeps no order of answers. Of those that wait, one of each sender is taken up before anybody's second.
 *
 * Of what goes on after it was waited for, each has a turn to itself: what threads have answered meanwhile comes in all at once, and so does what
 * many have waited for together, one of each sender's in turn. Requests do not wait for it.
 */
export class Turns {
  readonly #milliseconds: number
  /** When this turn's first came; undefined before it. */
  #since: number | undefined
  #isEnding = false
  readonly #requests = new FairLine<Work>()
  readonly #begun = new FairLine<Work>()

  constructor(milliseconds = TURN_MS) {
    this.#milliseconds = milliseconds
  }

  /** Whether a request that comes now is for `later`: it has to be asked of each. */
  isOver(): boolean {
    return this.#requests.length > 0 || this.#isSpent()
  }

  /** Takes up a request in a later turn. @param from whom: see `FairLine` */
  later<T>(work: () => T | Promise<T>, from: readonly string[] = []): Promise<T> {
    return this.#wait(
      (one) => this.#requests.push(one, from),
      () => senders.run(from, work),
    )
  }

  /** Goes on with what was begun: at once where it is the first of this turn. @param from for whom */
  goOn<T>(work: () => T | Promise<T>, from = currentSenders()): Promise<T> {
    if (this.#since !== undefined || this.#begun.length > 0) return this.#wait((one) => this.#begun.push(one, from), work)
    this.#isSpent()
    return Promise.try(work)
  }

  /** Passes on what several wait for, to each who asks here in a turn of its own. */
  async share<T>(result: Promise<T>): Promise<T> {
    await result.catch(() => {})
    return this.goOn(() => result)
  }

  #wait<T>(add: (work: Work) => void, work: () => T | Promise<T>): Promise<T> {
    const inContext = AsyncLocalStorage.snapshot()
    this.#endSoon()
    return new Promise((resolve) => add(() => resolve(inContext(() => Promise.try(work)))))
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
    for (let i = 0; i < AT_ONCE && this.#requests.length > 0 && !this.#isSpent(); i++) this.#requests.shift()?.()
    this.#begun.shift()?.()
    if (this.#requests.length + this.#begun.length > 0) this.#endSoon()
  }
}

/** Those of the main thread. */
export const mainTurns = new Turns()
