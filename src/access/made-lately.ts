import type { Context } from '#context.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { browserOf } from './done-notes.ts'
import type { Viewer } from './viewer.ts'

/** What comes again so soon was sent twice and meant once, in milliseconds. */
const SOON_MS = 3000
const MAX_KEPT = 1000

/**
 * What the forms of a browser have made in the last seconds. Where no script keeps a second click from it, a form is sent twice by two
 * clicks, and browsers show the answer to the second one alone: it is that of the first.
 */
export class MadeLately {
  readonly #clock: Context['clock']
  readonly #made = new Map<string, { answer: unknown; until: number }>()

  constructor({ clock }: Pick<Context, 'clock'>) {
    this.#clock = clock
  }

  /** @param form all that tells it from other forms @param make what throws has made nothing, and is tried again */
  once<T>(viewer: Viewer, form: readonly unknown[], make: () => T): T {
    const browser = browserOf(viewer)
    if (browser === undefined) return make()
    const key = sha256Hex(JSON.stringify([browser, ...form]))
    const known = this.#made.get(key)
    if (known && known.until > this.#clock.millis()) return known.answer as T
    const answer = make()
    this.#keep(key, answer)
    if (answer instanceof Promise) answer.catch(() => this.#made.delete(key))
    return answer
  }

  #keep(key: string, answer: unknown): void {
    this.#made.delete(key)
    this.#made.set(key, { answer, until: this.#clock.millis() + SOON_MS })
    for (const oldest of this.#made.keys()) {
      if (this.#made.size <= MAX_KEPT) break
      this.#made.delete(oldest)
    }
  }
}
