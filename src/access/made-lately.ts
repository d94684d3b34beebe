import type { Context } from '#context.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { LruMap } from '#kernel/lru-map.ts'
import { browserOf } from './done-notes.ts'
import type { Viewer } from './viewer.ts'

/** What comes again so soon was sent twice and meant once, in milliseconds. */
const SOON_MS = 3000
const MAX_KEPT = 1000

interface Made {
  browser: string
  /** A promise where making takes time. */
  answer: unknown
  /** What came of it, once that is known, and until when that is lately. */
  came?: { value: unknown; until: number }
}

/**
 * What the forms of a browser have made in the last seconds. Where no script keeps a second click from it, a form is sent twice by two
 * clicks, and browsers show the answer to the second one alone: it is that of the first.
 */
export class MadeLately {
  readonly #clock: Context['clock']
  readonly #made = new LruMap<string, Made>(MAX_KEPT)
  /** Where each browser last sent a form. */
  readonly #places = new LruMap<string, string>(MAX_KEPT)

  constructor({ clock }: Pick<Context, 'clock'>) {
    this.#clock = clock
  }

  /**
   * Notes where a form goes. Two clicks go to one place, one after the other: who has sent another form in between, deleting what was
   * made, means the next one.
   */
  sending(viewer: Viewer, path: string): void {
    const browser = browserOf(viewer)
    if (browser === undefined || this.#places.get(browser) === path) return
    this.#places.set(browser, path)
    for (const [key, made] of this.#made) if (made.browser === browser) this.#made.delete(key)
  }

  /**
   * @param form all that tells it from other forms
   * @param make what throws has made nothing, and is tried again
   * @param isThere whether what was made still is: programs delete, too
   */
  once<T>(viewer: Viewer, form: readonly unknown[], make: () => T, isThere: (made: Awaited<T>) => boolean = () => true): T {
    const browser = browserOf(viewer)
    if (browser === undefined) return make()
    const key = sha256Hex(JSON.stringify([browser, ...form]))
    const known = this.#made.get(key)
    // Who waits long clicks again.
    const isMade = known && (!known.came || (known.came.until > this.#clock.millis() && isThere(known.came.value as Awaited<T>)))
    return isMade ? (known.answer as T) : this.#keep(key, browser, make())
  }

  #keep<T>(key: string, browser: string, answer: T): T {
    const made: Made = { browser, answer }
    this.#made.set(key, made)
    const settle = (value: unknown) => {
      made.came = { value, until: this.#clock.millis() + SOON_MS }
    }
    if (answer instanceof Promise) answer.then(settle, () => this.#made.get(key) === made && this.#made.delete(key))
    else settle(answer)
    return answer
  }
}
