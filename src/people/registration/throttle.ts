import { LeakyBuckets, networkOf } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Problem } from '#kernel/errors.ts'

const HOUR = 3600
/** Accounts that are made from one network in an hour, and mails that it asks for. */
const MOST_ACCOUNTS = 10
const MOST_MAILS = 20

/** Bounds what strangers can cause: accounts, and mail to people who did not ask for it. */
export class StrangersThrottle {
  readonly #clients: Context['clients']
  readonly #accounts: LeakyBuckets
  readonly #mails: LeakyBuckets

  constructor({ clients, clock }: Pick<Context, 'clients' | 'clock'>) {
    this.#clients = clients
    this.#accounts = new LeakyBuckets(clock, MOST_ACCOUNTS, HOUR)
    this.#mails = new LeakyBuckets(clock, MOST_MAILS, HOUR)
  }

  /** @throws Problem 429 */
  countAccount(request: Request): void {
    this.#count(this.#accounts, request)
  }

  /** @throws Problem 429 */
  countMail(request: Request): void {
    this.#count(this.#mails, request)
  }

  #count(buckets: LeakyBuckets, request: Request): void {
    const network = networkOf(this.#clients.of(request))
    const wait = buckets.wait(network)
    if (wait > 0) throw new Problem(429, `Too many requests from your IP address. Try again in ${wait} seconds.`, { headers: { 'Retry-After': String(wait) } })
    buckets.add(network)
  }
}
