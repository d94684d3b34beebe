import { availableParallelism } from 'node:os'
import type { Clock } from '#kernel/clock.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { FairQueue } from './fair-queue.ts'
import { verifyPassword } from './passwords.ts'
import type { Attempt } from './sign-in-throttle.ts'

const VERIFIED_SECONDS = 60
const MAX_VERIFIED = 1000

/** A check takes some 20 ms of a core. A crowd of them must leave one to everything else. */
const AT_ONCE = Math.max(1, availableParallelism() - 1)

/** Whether passwords are right: remembered for a while, as git sends the same one with each request, and asked in turns. */
export class PasswordChecks {
  readonly #clock: Clock
  readonly #queue = new FairQueue(AT_ONCE)
  /** Until when, by a digest of what was checked. */
  readonly #verified = new Map<string, number>()
  /** The same question asked again meanwhile shares the answer. */
  readonly #underWay = new Map<string, Promise<boolean>>()
  readonly #salt = randomHex(20)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * @param name as it was given; whether anybody has it makes no difference to how long this takes
   * @param hash empty: never matches
   * @param begin called when there is something to check; what it throws is passed on
   * @throws Problem 429 when too many checks wait already
   */
  async matches(name: string, hash: string, password: string, begin: () => Attempt): Promise<boolean> {
    const lower = name.toLowerCase()
    const key = this.#keyOf(lower, hash, password)
    if (this.#isVerified(key)) return true
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay
    const check = this.#check(lower, hash, password, begin()).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, check)
    const isRight = await check
    if (isRight) this.#remember(key)
    return isRight
  }

  async #check(lower: string, hash: string, password: string, attempt: Attempt): Promise<boolean> {
    const isRight = await this.#queue.run(lower, () => verifyPassword(password, hash))
    if (isRight) attempt.succeeded()
    return isRight
  }

  #keyOf(lower: string, hash: string, password: string): string {
    return sha256Hex(JSON.stringify([this.#salt, lower, hash, password]))
  }

  #isVerified(key: string): boolean {
    return (this.#verified.get(key) ?? 0) > this.#clock.seconds()
  }

  #remember(key: string): void {
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear()
    this.#verified.set(key, this.#clock.seconds() + VERIFIED_SECONDS)
  }
}
