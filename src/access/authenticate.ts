import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { Busy, Forbidden, NotFound, Unauthorized } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import type { ClientAddresses } from './client-address.ts'
import { refuseCrossSite, requireSameSite } from './cross-site.ts'
import { PasswordChecks } from './password-checks.ts'
import type { UserRow } from './rows.ts'
import { parseGrant } from './scopes.ts'
import { Sessions } from './sessions.ts'
import { SignInThrottle } from './sign-in-throttle.ts'
import { findTokenHolder, findUserByEmail, findUserById, findUserByName, touchToken } from './store.ts'
import { anonymous, isSiteAdmin, type Member, type Viewer } from './viewer.ts'

/** 403: an account that must change its password asked for something else. */
export class PasswordExpired extends Forbidden {
  constructor() {
    super('You must change your password first.')
  }
}

const mustChange = 'You must change your password: POST {"password": "a new one"} to /api/v1/user/password, signed in with the present one.'

/** `last_used_at` is for people: a minute's precision spares a write for each request. */
const TOUCH_SECONDS = 60

export interface SignInOptions {
  /** The request does just what an account that must change its password has to do. */
  toChangePassword?: boolean
  /** It does just what a visitor has to do to become a user. */
  toSignIn?: boolean
}

/**
 * Tells who sends a request: `Authorization: token|Bearer|Basic`, or a token in the query string.
 * No credentials is the anonymous viewer; wrong ones are 401, on public endpoints too.
 */
export class Authenticator {
  /** Browsers that are signed in. */
  readonly sessions: Sessions
  readonly #db: Database
  readonly #config: Config
  readonly #clock: Clock
  readonly #checks: PasswordChecks
  readonly #clients: ClientAddresses
  readonly #throttle: SignInThrottle
  readonly #ownHosts: readonly string[]

  constructor(db: Database, config: Config, clock: Clock, clients: ClientAddresses) {
    this.#db = db
    this.#config = config
    this.#clock = clock
    this.#checks = new PasswordChecks(clock)
    this.#clients = clients
    this.#throttle = new SignInThrottle(config, clock)
    this.sessions = new Sessions(db, config, clock, clients)
    this.#ownHosts = [URL.parse(config.server.ROOT_URL)?.host].filter((host) => host !== undefined)
  }

  /**
   * @throws Unauthorized on wrong credentials; Forbidden for accounts that may not sign in, and for what another site had a browser send; NotFound when `Sudo` names nobody;
   * Problem 429 when too many passwords wait to be checked, or were wrong
   */
  viewerOf(request: Request, options: SignInOptions = {}): Viewer | Promise<Viewer> {
    const viewer = this.#signIn(request)
    return viewer instanceof Promise ? viewer.then((one) => this.#admit(one, request, options)) : this.#admit(viewer, request, options)
  }

  /**
   * Who is at a browser that asks for a page, by its cookie alone; `Authorization` and tokens are not looked at.
   * @throws Forbidden for accounts that may not sign in, and for what another site had the browser send; PasswordExpired
   */
  pageViewerOf(request: Request, options: SignInOptions = {}): Viewer {
    requireSameSite(request, this.#ownHosts, this.sessions.hasCookie(request))
    const viewer = this.sessions.viewerOf(request)
    if (viewer.user) refuseBarredFromPages(viewer.user, options.toChangePassword === true)
    return viewer
  }

  /**
   * For what programs and browsers both ask for, files as they are: whatever credentials a request shows, else the cookie. It only reads.
   */
  eitherViewerOf(request: Request): Viewer | Promise<Viewer> {
    const isByProgram = request.headers.has('authorization') || !this.sessions.hasCookie(request)
    return isByProgram ? this.viewerOf(request) : this.pageViewerOf(request)
  }

  /**
   * Checks what was typed into a sign-in form. Undefined when it is wrong, or nobody has that name; the two take as long.
   * @throws Forbidden for accounts that may not sign in; Problem 429 when too many passwords were wrong
   */
  async checkPassword(name: string, password: string, request: Request): Promise<UserRow | undefined> {
    const user = await this.#findByPassword(name, password, request)
    if (user) refuseBarred(user, true)
    return user
  }

  /** Asks a person at a browser to prove themselves again, unless they have just done so. @throws Forbidden; Problem 429 as `checkPassword` */
  async requireRecent(viewer: Member, password: string | undefined, request: Request): Promise<void> {
    if (this.sessions.isRecent(viewer)) return
    const user = password ? await this.checkPassword(viewer.user.name, password, request) : undefined
    if (user?.id !== viewer.user.id) throw new Forbidden('Type your password to do this.')
  }

  #admit(viewer: Viewer, request: Request, options: SignInOptions): Viewer {
    if (viewer.user) refuseBarred(viewer.user, options.toChangePassword === true)
    const sudo = request.headers.get('sudo') ?? queryValue(request.url, 'sudo')
    return sudo ? this.#actAs(viewer, sudo) : viewer
  }

  /** A promise only where a password is checked: what needs no waiting costs none. */
  #signIn(request: Request): Viewer | Promise<Viewer> {
    const header = request.headers.get('authorization')
    if (header) return this.#byHeader(header, request)
    const token = queryValue(request.url, 'token') ?? queryValue(request.url, 'access_token')
    if (!token) return anonymous
    if (this.#config.security.DISABLE_QUERY_AUTH_TOKEN) throw new Unauthorized('tokens in the query string are not accepted here; send an Authorization header')
    return { ...this.#byToken(token), queryToken: true }
  }

  #byHeader(header: string, request: Request): Viewer | Promise<Viewer> {
    const space = header.indexOf(' ')
    const scheme = header.slice(0, space).toLowerCase()
    const value = header.slice(space + 1).trim()
    if (space > 0 && (scheme === 'token' || scheme === 'bearer')) return this.#byToken(value)
    if (space > 0 && scheme === 'basic') return this.#byBasic(value, request)
    throw new Unauthorized('the Authorization header is not understood')
  }

  #byToken(token: string): Viewer {
    const viewer = this.#findByToken(token)
    if (!viewer) throw new Unauthorized('invalid username, password or token')
    return viewer
  }

  #findByToken(token: string): Viewer | undefined {
    if (!/^[0-9a-f]{40}$/.test(token)) return undefined
    const user = findTokenHolder(this.#db, sha256Hex(token))
    if (!user) return undefined
    this.#touch(user.token_id, user.last_used_at ?? 0)
    return { user, grant: parseGrant(user.scopes), via: 'token', tokenId: user.token_id, queryToken: false }
  }

  /** A request that only reads is not refused because another process writes: the next one notes it. */
  #touch(tokenId: number, lastUsed: number): void {
    const now = this.#clock.seconds()
    if (now - lastUsed <= TOUCH_SECONDS || this.#db.isContended) return
    try {
      this.#db.tx((tx) => touchToken(tx, tokenId, now))
    } catch (error) {
      if (!(error instanceof Busy)) throw error
    }
  }

  /** `user:password`, `user:token`, `token:` or `token:x-oauth-basic`. */
  async #byBasic(encoded: string, request: Request): Promise<Viewer> {
    refuseCrossSite(request, this.#ownHosts)
    const text = Buffer.from(encoded, 'base64').toString('utf8')
    const colon = text.indexOf(':')
    if (colon < 0) throw new Unauthorized('invalid username, password or token')
    const name = text.slice(0, colon)
    const secret = text.slice(colon + 1)
    const token = secret === '' || secret === 'x-oauth-basic' ? name : secret
    const byToken = this.#findByToken(token)
    if (byToken) return byToken
    const user = await this.#findByPassword(name, secret, request)
    if (!user) throw new Unauthorized('invalid username, password or token')
    return { user, grant: undefined, via: 'password', queryToken: false }
  }

  async #findByPassword(name: string, password: string, request: Request): Promise<UserRow | undefined> {
    const found = findUserByName(this.#db, name) ?? findUserByEmail(this.#db, name)
    const address = this.#clients.of(request)
    const hash = found?.kind === 'person' ? found.password_hash : ''
    const begin = () => this.#throttle.begin(name, address)
    if (!(await this.#checks.matches(name, hash, password, begin)) || !found) return undefined
    // The check took its time: the account may be another by now, or gone.
    const now = findUserById(this.#db, found.id)
    return now?.password_hash === hash ? now : undefined
  }

  #actAs(viewer: Viewer, name: string): Viewer {
    if (!isSiteAdmin(viewer)) throw new Forbidden('Only administrators allowed to sudo.')
    const user = findUserByName(this.#db, name)
    if (user?.kind !== 'person') throw new NotFound()
    return { ...viewer, user }
  }
}

function refuseBarred(user: UserRow, toChangePassword: boolean): void {
  if (user.is_active === 0) throw new Forbidden('This account is not activated.')
  if (user.prohibit_login === 1) throw new Forbidden('This account is prohibited from signing in, please contact your site administrator.')
  if (user.must_change_password === 1 && !toChangePassword) throw new Forbidden(mustChange)
}

/** A page leads who must change the password to where that is done. */
function refuseBarredFromPages(user: UserRow, toChangePassword: boolean): void {
  refuseBarred(user, true)
  if (user.must_change_password === 1 && !toChangePassword) throw new PasswordExpired()
}

/** Parses the query only when the name occurs at all: most requests carry no token there. */
function queryValue(url: string, name: string): string | undefined {
  const at = url.indexOf('?')
  if (at < 0 || !url.includes(`${name}=`, at)) return undefined
  return new URLSearchParams(url.slice(at + 1)).get(name) ?? undefined
}
