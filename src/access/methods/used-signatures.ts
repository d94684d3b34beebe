import type { Clock } from '#kernel/clock.ts'
import { Problem, Unauthorized } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'

/** How many signatures of one key are remembered; whoever sends more within their life has to wait. */
const MAX_OF_KEY = 20_000

/**
 * Signatures that were used, for as long as they could be used again. They are told apart by what they sign: of one text there are
 * several signatures by a curve.
 */
export class UsedSignatures {
  readonly #clock: Clock
  /** By key: until when, by a digest of the text, in the order of use. */
  readonly #ofKeys = new Map<string, Map<string, number>>()
  #sweptAt = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** @param until seconds since the epoch. @throws Unauthorized when it was used before; Problem 429 when there are too many */
  use(key: string, text: string, until: number): void {
    this.#forget()
    const used = this.#ofKeys.get(key) ?? new Map<string, number>()
    const digest = sha256Hex(text)
    if (used.has(digest))
      throw new Unauthorized('The request signature was already used. Sign each request separately, and wait a second before repeating a request.')
    if (used.size >= MAX_OF_KEY) throw new Problem(429, 'Too many signed requests. Try again in a moment.', { headers: { 'Retry-After': '10' } })
    used.set(digest, until)
    this.#ofKeys.set(key, used)
  }

  /** Those that are over. They end about in the order in which they were used; one that ends sooner than another before it waits for that. */
  #forget(): void {
    const now = this.#clock.seconds()
    if (now === this.#sweptAt) return
    this.#sweptAt = now
    for (const [key, used] of this.#ofKeys) {
      for (const [digest, until] of used) {
        if (until >= now) break
        used.delete(digest)
      }
      if (used.size === 0) this.#ofKeys.delete(key)
    }
  }
}
