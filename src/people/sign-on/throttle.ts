import { LeakyBuckets, networkOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'

/** Of one network at once, and as many again in each `SECONDS`: an office has one address. */
const MOST_FAILURES = 60
const SECONDS = 600

/** Bounds how often strangers have other sites asked about codes that they made up. */
export class CallbackThrottle {
  readonly #clients: Context['clients']
  readonly #failures: LeakyBuckets

  constructor({ clients, clock }: Pick<Context, 'clients' | 'clock'>) {
    this.#clients = clients
    this.#failures = new LeakyBuckets(clock, MOST_FAILURES, SECONDS)
  }

  /** Counts a callback as a wrong one until it is said to be right. @throws Problem 429 */
  begin(request: Request): { succeeded(): void } {
    const network = networkOf(this.#clients.of(request))
    const wait = this.#failures.wait(network)
    if (wait > 0)
      throw new Problem(429, `Too many failed sign-ins from your IP address. Try again in ${wait} seconds.`, { headers: { 'Retry-After': String(wait) } })
    this.#failures.add(network)
    return { succeeded: () => this.#failures.takeBack(network) }
  }
}
