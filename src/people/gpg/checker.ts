import { KeptPages } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { LruMap } from '#kernel/lru-map.ts'
import { waitAtMost } from '#kernel/wait-at-most.ts'
import type { Claim } from './claim.ts'
import { checkSignatures } from './signatures.ts'

const MAX_KEPT = 10_000
/** A page is shown without what is not known by then; the next one finds it. */
const WAIT_MS = 1000
/** A key that took too long is not tried again before that. */
const SLOW_SECONDS = 600

/** What one server found of signatures: each is checked once, however many ask. */
export class Checker {
  readonly #context: Pick<Context, 'clock' | 'log' | 'services'>
  /** By question. */
  readonly #kept = new LruMap<string, boolean>(MAX_KEPT)
  /** By question. */
  readonly #underWay = new Map<string, Promise<void>>()
  /** When each slow key may be tried again, in seconds since 1970. */
  readonly #slow = new Map<string, number>()

  constructor(context: Pick<Context, 'clock' | 'log' | 'services'>) {
    this.#context = context
  }

  /** By question, whether the signature is good; those that could not be checked within a second are missing. */
  async check(claims: readonly Claim[]): Promise<Map<string, boolean>> {
    const open = claims.filter(({ question, keyRow }) => !this.#kept.has(question) && !this.#isSlow(keyRow))
    const unasked = new Map(open.filter(({ question }) => !this.#underWay.has(question)).map((claim) => [claim.question, claim]))
    for (const [keyRow, ofKey] of Map.groupBy(unasked.values(), (claim) => claim.keyRow)) this.#ask(keyRow, ofKey)
    const answering = new Set(open.map(({ question }) => this.#underWay.get(question)))
    if (answering.size > 0) await waitAtMost(Promise.all(answering), WAIT_MS)
    const known = claims.filter(({ question }) => this.#kept.has(question))
    if (known.length < claims.length) this.#context.services.get(KeptPages).leaveOut()
    return new Map(known.map(({ question }) => [question, this.#kept.get(question) === true]))
  }

  /** Each key's signatures in one job, in the line of the key's owner: a slow key delays nothing but what its owner signed. */
  #ask(keyRow: string, claims: readonly Claim[]): void {
    const checked = checkSignatures(
      claims.map(({ check }) => check),
      (claims[0] as Claim).userId,
    )
    const done = checked
      .then((good) => {
        for (const [i, { question }] of claims.entries()) this.#kept.set(question, good[i] === true)
      })
      .catch((error: unknown) => {
        if (error instanceof Unprocessable) this.#slow.set(keyRow, this.#context.clock.seconds() + SLOW_SECONDS)
        this.#context.log.warn('signature verification failed', { key: keyRow, error: String(error) })
      })
      .finally(() => {
        for (const { question } of claims) this.#underWay.delete(question)
      })
    for (const { question } of claims) this.#underWay.set(question, done)
  }

  #isSlow(keyRow: string): boolean {
    const until = this.#slow.get(keyRow)
    if (until === undefined || until > this.#context.clock.seconds()) return until !== undefined
    return !this.#slow.delete(keyRow)
  }
}
