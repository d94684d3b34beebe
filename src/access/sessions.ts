import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { type ClientAddresses, networkOf } from './client-address.ts'
import type { UserRow } from './rows.ts'
import { SessionCookie } from './session-cookie.ts'
import {
  deleteEndedLinks,
  deleteEndedSessions,
  deleteLink,
  deleteOldestSessions,
  deleteSession,
  findLinkHolder,
  findSession,
  insertLink,
  insertSession,
  listSessions,
  noteSignIn,
  revokeSession,
  type SessionRow,
  touchSession,
} from './session-store.ts'
import { findUserById } from './store.ts'
import { anonymous, type Member, type Viewer } from './viewer.ts'

/** How often it is noted that a session is in use. */
const TOUCH_SECONDS = 3600
/** An account's sessions; those not used for longest go first. */
const MAX_SESSIONS = 100
const LINK_SECONDS = 86_400
const RECENT_SECONDS = 900
/** Has a browser drop the pages that it would show again, as they were, to who goes back. */
export const forgetting = { 'Clear-Site-Data': '"cache"' }

/** Browsers that are signed in. Pages alone ask for them; the API and git never do. */
export class Sessions {
  readonly #db: Database
  readonly #clock: Clock
  readonly #clients: ClientAddresses
  readonly #cookie: SessionCookie
  readonly #idleSeconds: number
  readonly #maxSeconds: number

  constructor(db: Database, config: Config, clock: Clock, clients: ClientAddresses) {
    this.#db = db
    this.#clock = clock
    this.#clients = clients
    this.#cookie = new SessionCookie(config)
    this.#idleSeconds = config.session.SESSION_LIFE_TIME
    this.#maxSeconds = config.session.SESSION_MAX_TIME
  }

  /** Who is signed in with the request's cookie; a visitor when it has none, or the session is over. */
  viewerOf(request: Request): Viewer {
    const session = this.#findCurrent(request)
    const user = session && findUserById(this.#db, session.user_id)
    if (!session || !user || session.credential !== credentialOf(user)) return anonymous
    this.#touch(session)
    return { user, grant: undefined, via: 'session', sessionId: session.id, queryToken: false }
  }

  hasCookie(request: Request): boolean {
    return this.#cookie.secretIn(request) !== undefined
  }

  /**
   * Signs a browser in: always with a new secret, and the session that it had until now ends.
   * @returns the value of `Set-Cookie`
   */
  begin(user: UserRow, request: Request): string {
    const secret = randomHex(32)
    const now = this.#clock.seconds()
    const row = {
      user_id: user.id,
      digest: sha256Hex(secret),
      credential: credentialOf(user),
      address: this.#clients.of(request),
      user_agent: (request.headers.get('user-agent') ?? '').slice(0, 300),
      created_at: now,
      last_used_at: now,
    }
    const former = this.#cookie.secretIn(request)
    this.#db.tx((tx) => {
      if (former !== undefined) deleteSession(tx, sha256Hex(former))
      deleteEndedSessions(tx, now - this.#idleSeconds, now - this.#maxSeconds)
      insertSession(tx, row)
      noteSignIn(tx, user.id, now)
      deleteOldestSessions(tx, user.id, MAX_SESSIONS)
    })
    return this.#cookie.set(secret, this.#maxSeconds)
  }

  /**
   * Signs the browser out.
   * @returns headers of the answer: it drops the cookie, and forgets pages
   */
  end(request: Request): Record<string, string> {
    const secret = this.#cookie.secretIn(request)
    if (secret !== undefined) this.#db.tx((tx) => deleteSession(tx, sha256Hex(secret)))
    return { 'Set-Cookie': this.#cookie.clear(), ...forgetting }
  }

  /** Whether its password was typed a short while ago: what lets others in, or cannot be taken back, asks for it again otherwise. */
  isRecent({ user, sessionId, via }: Member): boolean {
    // Whoever comes through a proxy that signs people in has no password here; it vouches for each request.
    if (via === 'proxy') return true
    const session = listSessions(this.#db, user.id).find(({ id }) => id === sessionId)
    return session !== undefined && this.#clock.seconds() - session.created_at <= RECENT_SECONDS
  }

  /** The account's sessions that are not over, those used last first. */
  list(user: UserRow): SessionRow[] {
    const credential = credentialOf(user)
    return listSessions(this.#db, user.id).filter((one) => one.credential === credential && !this.#isOver(one))
  }

  /** Whether a browser is signed in to the account from a network, as `networkOf` has it. */
  isUsedFrom(user: UserRow, network: string): boolean {
    return this.list(user).some(({ address }) => networkOf(address) === network)
  }

  /** @throws NotFound when the account has no such session */
  revoke(user: UserRow, id: number): void {
    if (!this.#db.tx((tx) => revokeSession(tx, user.id, id))) throw new NotFound()
  }

  /** Makes a link that signs its holder in once, within a day. @returns what the address carries */
  makeLink(user: UserRow): string {
    const secret = randomHex(20)
    const now = this.#clock.seconds()
    this.#db.tx((tx) => {
      deleteEndedLinks(tx, now)
      insertLink(tx, sha256Hex(secret), user.id, now + LINK_SECONDS)
    })
    return secret
  }

  /** Whom a link would sign in. */
  findLinkHolder(secret: string): UserRow | undefined {
    return findLinkHolder(this.#db, sha256Hex(secret), this.#clock.seconds())
  }

  /** Whom it signs in, this once. */
  useLink(secret: string): UserRow | undefined {
    const user = this.findLinkHolder(secret)
    return user && this.#db.tx((tx) => deleteLink(tx, sha256Hex(secret))) ? user : undefined
  }

  #findCurrent(request: Request): SessionRow | undefined {
    const secret = this.#cookie.secretIn(request)
    const session = secret === undefined ? undefined : findSession(this.#db, sha256Hex(secret))
    return session && !this.#isOver(session) ? session : undefined
  }

  #isOver({ created_at, last_used_at }: SessionRow): boolean {
    const now = this.#clock.seconds()
    return now - last_used_at > this.#idleSeconds || now - created_at > this.#maxSeconds
  }

  #touch({ id, last_used_at }: SessionRow): void {
    const now = this.#clock.seconds()
    if (now - last_used_at <= Math.min(TOUCH_SECONDS, this.#idleSeconds / 2)) return
    this.#db.note((tx) => touchSession(tx, id, now))
  }
}

/** What a session, or the way to one, is bound to: another password ends it. */
export function credentialOf(user: UserRow): string {
  return sha256Hex(`session ${user.password_hash}`)
}
