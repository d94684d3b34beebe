import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { PasswordChecks } from './password-checks.ts'
import type { UserRow } from './rows.ts'
import type { Sessions } from './sessions.ts'
import type { SignInPlugs } from './sign-in-plugs.ts'
import { type Attempt, type Origin, SignInThrottle } from './sign-in-throttle.ts'
import { findUserByEmail, findUserById, findUserByName } from './store.ts'
import { anonymous, type Viewer } from './viewer.ts'

/** Signs people in by what they know: their password, and the code of a second factor. */
export class PasswordSignIn {
  readonly #db: Database
  readonly #plugs: SignInPlugs
  readonly #checks: PasswordChecks
  readonly #throttle: SignInThrottle
  readonly #sessions: Sessions

  constructor(db: Database, config: Config, clock: Clock, plugs: SignInPlugs, sessions: Sessions) {
    this.#db = db
    this.#plugs = plugs
    this.#sessions = sessions
    this.#checks = new PasswordChecks(clock)
    this.#throttle = new SignInThrottle(config, clock)
  }

  /**
   * Undefined when the password is wrong, or nobody has that name or verified e-mail address; the two take as long.
   * @param present who is signed in already where it was typed
   * @throws Problem 429 when too many passwords wait to be checked, or were wrong
   */
  async check(name: string, password: string, address: string, present: Viewer = anonymous): Promise<UserRow | undefined> {
    const found = findUserByName(this.#db, name) ?? findUserByEmail(this.#db, name)
    const isLocal = found?.kind === 'person' && found.login_source === 0
    const hash = isLocal ? found.password_hash : ''
    const id = await this.#checks.holderOf({
      name,
      source: isLocal ? String(found.id) : this.#sourceOf(found),
      hash,
      password,
      begin: () => this.#throttle.begin(name, this.#originOf(found, address, present)),
      holder: found?.id,
      askElsewhere: isLocal ? undefined : async () => (await this.#askSources(name, password, found, address))?.id,
    })
    // The check took its time: the account may be another by now, or gone.
    const now = id === undefined ? undefined : findUserById(this.#db, id)
    return isLocal && now?.password_hash !== hash ? undefined : now
  }

  /** Whether the account's password alone does not let anybody in. */
  asksSecondFactor(user: UserRow): boolean {
    return this.#plugs.secondFactors.isEnrolled(user) && !this.#plugs.passwordSources.skipsSecondFactor(user)
  }

  /** Whether the account could be asked for a second factor, and has none. */
  lacksSecondFactor(user: UserRow): boolean {
    return !this.#plugs.secondFactors.isEnrolled(user) && !this.#plugs.passwordSources.skipsSecondFactor(user)
  }

  hasSecurityKeysOnly(user: UserRow): boolean {
    return this.#plugs.secondFactors.hasSecurityKeysOnly(user)
  }

  /**
   * Whether the code of a second factor is right. Wrong ones count by themselves: a right password does not make them forgotten.
   * @throws Problem 429 when too many were wrong
   */
  async checkCode(user: UserRow, code: string, address: string): Promise<boolean> {
    const attempt = this.beginCode(user, address)
    const isRight = await this.#plugs.secondFactors.verifyCode(user, code)
    if (isRight) attempt.succeeded()
    return isRight
  }

  /** Counts a code that others check, as a wrong one until it is said to be right. @throws Problem 429 when too many were wrong */
  beginCode(user: UserRow, address: string): Attempt {
    // No account's name has a space in it.
    return this.#throttle.begin(`code of ${user.id}`, this.#originOf(user, address))
  }

  #originOf(account: UserRow | undefined, address: string, present: Viewer = anonymous): Origin {
    if (!account) return { address }
    return {
      address,
      isAtHome: (network) => this.#sessions.isUsedFrom(account, network),
      sessionId: present.user?.id === account.id ? present.sessionId : undefined,
    }
  }

  /** What a password is remembered for: an account's source can change, and be put out of use. */
  #sourceOf(found: UserRow | undefined): string {
    return JSON.stringify([found?.id, found?.login_source, found?.login_name, this.#plugs.passwordSources.state?.()])
  }

  #askSources(name: string, password: string, found: UserRow | undefined, address: string): Promise<UserRow | undefined> {
    // Several sources take an empty password for a visitor's, and let everybody in: RFC 4513, section 5.1.2.
    if (password === '' || found?.kind === 'organization') return Promise.resolve(undefined)
    return this.#plugs.passwordSources.check(name, password, found, address)
  }
}
