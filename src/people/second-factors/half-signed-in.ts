import { accessStore, credentialOf, SessionCookie, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { countAttempt, deleteEndedHalves, deleteHalf, deleteOldestHalves, findHalf, type HalfSignInRow, insertHalf } from './half-store.ts'

/** How long the second factor is waited for. */
const SECONDS = 600
/** Wrong codes, after which the password is asked for again. */
const MOST_ATTEMPTS = 10
/** Of one account at once; the oldest goes. */
const MOST_AT_ONCE = 20

/** Who has given a right password, and whom the second factor would sign in. */
export interface HalfSignedIn {
  user: UserRow
  row: HalfSignInRow
}

/** Browsers between the right password and the second factor. */
export class HalfSignIns {
  readonly #context: Pick<Context, 'db' | 'authenticator' | 'clock'>
  readonly #cookie: SessionCookie

  constructor(context: Context) {
    this.#context = context
    this.#cookie = new SessionCookie(context.config, '_half')
  }

  /** @param redirectTo where the browser goes once it is signed in. @returns the value of `Set-Cookie` */
  begin(user: UserRow, redirectTo: string): string {
    const { clock, db } = this.#context
    const secret = randomHex(32)
    const now = clock.seconds()
    db.tx((tx) => {
      deleteEndedHalves(tx, now)
      insertHalf(tx, {
        digest: sha256Hex(secret),
        user_id: user.id,
        credential: credentialOf(user),
        redirect_to: redirectTo,
        attempts: 0,
        expires_at: now + SECONDS,
      })
      deleteOldestHalves(tx, user.id, MOST_AT_ONCE)
    })
    return this.#cookie.set(secret, SECONDS)
  }

  /** The one of the request's browser; undefined when it has none, it is over, or the account has another password by now. */
  find(request: Request): HalfSignedIn | undefined {
    const { clock, db } = this.#context
    const secret = this.#cookie.secretIn(request)
    const row = secret === undefined ? undefined : findHalf(db, sha256Hex(secret), clock.seconds())
    const user = row && accessStore.findUserById(db, row.user_id)
    return row && user && credentialOf(user) === row.credential ? { user, row } : undefined
  }

  /** Counts an attempt. @returns false when there were too many: it is over then */
  mayTry({ row }: HalfSignedIn): boolean {
    return this.#context.db.tx((tx) => {
      const may = countAttempt(tx, row.digest, MOST_ATTEMPTS)
      if (!may) deleteHalf(tx, row.digest)
      return may
    })
  }

  /**
   * The second factor was right: the browser is signed in.
   * @returns the session's `Set-Cookie`; undefined when somebody else has completed it
   * @throws Forbidden when the account may not sign in any more
   */
  complete({ user, row }: HalfSignedIn, request: Request): string | undefined {
    const { authenticator, db } = this.#context
    authenticator.refuseBarred(user)
    return db.tx((tx) => (deleteHalf(tx, row.digest) ? authenticator.sessions.begin(user, request) : undefined))
  }
}
