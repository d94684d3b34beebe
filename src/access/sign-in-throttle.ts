import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import { Problem } from '#kernel/errors.ts'
import { isLoopbackAddress, networkOf } from './client-address.ts'
import { LeakyBuckets } from './leaky-buckets.ts'

/** How many accounts' worth of failures one address may have: an office has one address. */
const ACCOUNTS_PER_ADDRESS = 5
/** How many addresses' worth of failures one account may have before strange addresses have to queue up. */
const ADDRESSES_PER_ACCOUNT = 10
/** Accounts whose addresses are remembered, and how many of each: nobody can have those of others forgotten. */
const MAX_KNOWN = 10_000
const MAX_KNOWN_NETWORKS = 16
/** Characters of a name that are looked at. */
const MAX_NAME = 512

/** A password about to be checked. */
export interface Attempt {
  succeeded(): void
}

/** Where a password or code comes from. */
export interface Origin {
  address: string
  /** Whether the account is known to be used from a network besides; asked where it matters. */
  isAtHome?: (network: string) => boolean
  /** Of a browser that is signed in to the account already. */
  sessionId?: number | undefined
}

/**
 * Bounds how many passwords can be tried out: by address for one account, by address for all, and for one account from all
 * addresses. The last one would let a stranger lock an account out: addresses from which its password came lately, or where a browser is
 * signed in to it, are not asked to wait for strangers; and such a browser itself, not for its neighbours either.
 */
export class SignInThrottle {
  readonly #isOn: boolean
  readonly #throttlesLoopback: boolean
  readonly #byPair: LeakyBuckets
  readonly #byAddress: LeakyBuckets
  readonly #byAccount: LeakyBuckets
  /** By account, where the right password came from; what was used last is last. */
  readonly #known = new Map<string, Set<string>>()

  constructor({ security }: Config, clock: Clock) {
    const { SIGN_IN_FAILURES: failures, SIGN_IN_FAILURE_SECONDS: seconds } = security
    this.#isOn = failures > 0
    this.#throttlesLoopback = security.SIGN_IN_THROTTLE_LOOPBACK
    this.#byPair = new LeakyBuckets(clock, failures, seconds)
    this.#byAddress = new LeakyBuckets(clock, failures * ACCOUNTS_PER_ADDRESS, seconds)
    this.#byAccount = new LeakyBuckets(clock, failures * ADDRESSES_PER_ACCOUNT, seconds)
  }

  /**
   * To be called before a password is checked: it counts as wrong until it is said to be right, so that many at once are not free.
   * @param name as it was given; whether anybody has it makes no difference
   * @throws Problem 429
   */
  begin(name: string, { address, isAtHome, sessionId }: Origin): Attempt {
    if (!this.#isOn || (!this.#throttlesLoopback && isLoopbackAddress(address))) return { succeeded: () => {} }
    const account = folded(name)
    const place = sessionId === undefined ? networkOf(address) : `session ${sessionId}`
    const pair = `${place} ${account}`
    const asStranger = Math.max(this.#byAddress.wait(place), this.#byAccount.wait(account))
    const isKnown = asStranger > 0 && (sessionId !== undefined || this.#known.get(account)?.has(place) || isAtHome?.(place))
    const wait = Math.max(this.#byPair.wait(pair), isKnown ? 0 : asStranger)
    if (wait > 0) throw new Problem(429, `Too many incorrect passwords or codes. Try again in ${wait} seconds.`, { headers: { 'Retry-After': String(wait) } })
    this.#byPair.add(pair)
    this.#byAddress.add(place)
    this.#byAccount.add(account)
    return {
      succeeded: () => {
        this.#takeBack(pair, place, account)
        if (sessionId === undefined) this.#remember(account, place)
      },
    }
  }

  /** The wrong ones stay counted: else a neighbour of the owner's could try as many again whenever the owner comes in. */
  #takeBack(pair: string, place: string, account: string): void {
    this.#byPair.takeBack(pair)
    this.#byAddress.takeBack(place)
    this.#byAccount.takeBack(account)
  }

  #remember(account: string, network: string): void {
    const networks = this.#known.get(account) ?? new Set<string>()
    moveLast(networks, network, () => networks.add(network), MAX_KNOWN_NETWORKS)
    moveLast(this.#known, account, () => this.#known.set(account, networks), MAX_KNOWN)
  }
}

/** Has an entry be the last of a map or set, which loses its first when there are more than `most`. */
function moveLast(entries: Map<string, unknown> | Set<string>, key: string, put: () => void, most: number): void {
  entries.delete(key)
  put()
  const [first] = entries.keys()
  if (entries.size > most && first !== undefined) entries.delete(first)
}

/**
 * One name for all spellings that a directory takes for the same: it leaves out what nobody sees and blanks around and between words, and
 * tells neither case nor form of letters apart. Source: RFC 4518, section 2.
 */
function folded(name: string): string {
  const bare = name
    .slice(0, MAX_NAME)
    .normalize('NFKC')
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Default_Ignorable_Code_Point}\p{C}]/gu, '')
  return bare.replaceAll(/ +/g, ' ').trim().toLowerCase().slice(0, 64)
}
