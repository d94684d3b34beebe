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
/** Sources elsewhere take their time, and nothing of ours. */
const ELSEWHERE_AT_ONCE = 16

/** Whether somebody's password is right. */
export interface PasswordQuestion {
  /** As it was given; whether anybody has it makes no difference to how long this takes. */
  name: string
  /** Whose it would be; a right password is remembered for this alone. */
  source: string
  /** Empty: never matches. */
  hash: string
  password: string
  /** The account that the hash is of. */
  holder: number | undefined
  /** Called before anything is said of the password, what is remembered of it too; what it throws is passed on. */
  begin: () => Attempt
  /** Asked when the hash does not match: the account that somebody else knows to have this password. */
  askElsewhere: (() => Promise<number | undefined>) | undefined
}

/** Whose passwords are right: remembered for a while, as git sends the same one with each request, and asked in turns. */
export class PasswordChecks {
  readonly #clock: Clock
  readonly #queue = new FairQueue(AT_ONCE)
  readonly #elsewhere = new FairQueue(ELSEWHERE_AT_ONCE)
  /** The account, and until when, by a digest of what was checked. */
  readonly #verified = new Map<string, { holder: number; until: number }>()
  /** The same question asked again meanwhile shares the answer. */
  readonly #underWay = new Map<string, Promise<number | undefined>>()
  readonly #salt = randomHex(20)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /**
   * The account whose password it is. Who has to wait learns nothing, not even of a password that is remembered: what its owner used just now
   * could be guessed without an end.
   * @throws Problem 429 when too many checks wait already
   */
  async holderOf(question: PasswordQuestion): Promise<number | undefined> {
    const key = this.#keyOf(question)
    const known = this.#verified.get(key)
    if (known && known.until > this.#clock.seconds()) {
      question.begin().succeeded()
      return known.holder
    }
    const underWay = this.#underWay.get(key)
    if (underWay) return underWay
    // What is not checked is no wrong password.
    this.#queue.requireRoom(question.name.toLowerCase())
    const check = this.#check(question, question.begin()).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, check)
    const holder = await check
    if (holder !== undefined) this.#remember(key, holder)
    return holder
  }

  async #check({ name, hash, password, holder, askElsewhere }: PasswordQuestion, attempt: Attempt): Promise<number | undefined> {
    const lower = name.toLowerCase()
    const isRight = await this.#queue.run(lower, () => verifyPassword(password, hash))
    const found = isRight ? holder : askElsewhere && (await this.#elsewhere.run(lower, askElsewhere))
    if (found !== undefined) attempt.succeeded()
    return found
  }

  #keyOf({ name, source, hash, password }: PasswordQuestion): string {
    return sha256Hex(JSON.stringify([this.#salt, name.toLowerCase(), source, hash, password]))
  }

  #remember(key: string, holder: number): void {
    if (this.#verified.size >= MAX_VERIFIED) this.#verified.clear()
    this.#verified.set(key, { holder, until: this.#clock.seconds() + VERIFIED_SECONDS })
  }
}
