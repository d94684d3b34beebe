import type { UserRow } from './rows.ts'

/** Who else knows passwords: LDAP, PAM, SMTP. What rooms above put here is asked about accounts that have no password in this store. */
export interface PasswordSources {
  /**
   * Whether a source says that the password is right.
   * @param name as it was typed: a name or an e-mail address
   * @param known the account that it names, whose `login_source` is asked for its `login_name`; undefined when nobody here is called so,
   * and sources may make the account
   * @param address whom the request came from
   * @returns the account; undefined when no source says so, or none answers
   */
  check(name: string, password: string, known: UserRow | undefined, address: string): Promise<UserRow | undefined>
  /** Whether the source that the account comes from does without a second factor here. */
  skipsSecondFactor(user: UserRow): boolean
  /** Another text whenever a source changes: what one said before does not hold any more. */
  state?(): string
}

/** As long as there are none. */
export const noPasswordSources: PasswordSources = { check: async () => undefined, skipsSecondFactor: () => false }
