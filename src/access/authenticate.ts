import type { Config } from '#config.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Database } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import type { ClientAddresses } from './client-address.ts'
import { requireSameSite } from './cross-site.ts'
import { AccessTokens } from './methods/access-tokens.ts'
import { Basic } from './methods/basic.ts'
import { authorizationIn, queryValue } from './methods/credentials.ts'
import { HeaderToken } from './methods/header-token.ts'
import { HttpSignature } from './methods/http-signature.ts'
import { QueryToken } from './methods/query-token.ts'
import { ReverseProxy } from './methods/reverse-proxy.ts'
import type { SignInMethod, SignInOptions } from './methods/sign-in-method.ts'
import { PasswordSignIn } from './password-sign-in.ts'
import type { UserRow } from './rows.ts'
import { grants, neededLevel } from './scopes.ts'
import { Sessions } from './sessions.ts'
import { noPlugs, type SignInPlugs } from './sign-in-plugs.ts'
import type { Attempt } from './sign-in-throttle.ts'
import { findUserByName } from './store.ts'
import { anonymous, isSiteAdmin, type Member, type Viewer } from './viewer.ts'

/** 403: something has to be done about the account before it may do anything else. */
export class AccountNotReady extends Forbidden {
  /** The path of the page where that is done. */
  readonly donePath: string

  constructor(message: string, donePath: string) {
    super(message)
    this.donePath = donePath
  }
}

const mustChange =
  'You must change your password. Sign in with a browser to choose a new one, or use the current password to POST {"password": "<new password>"} to /api/v1/user/password.'

/**
 * Tells who sends a request, by the first method that the request uses: `methods/` has a file for each.
 * A request is anonymous if no method understands its credentials; wrong credentials are 401, on public endpoints too.
 */
export class Authenticator {
  /** Browsers that are signed in. */
  readonly sessions: Sessions
  /** What rooms above add. */
  readonly plugs: SignInPlugs = noPlugs()
  readonly #db: Database
  readonly #clients: ClientAddresses
  readonly #passwords: PasswordSignIn
  readonly #ownHosts: readonly string[]
  readonly #isFactorEnforced: boolean
  readonly #proxy: ReverseProxy
  readonly #methods: readonly SignInMethod[]

  constructor(db: Database, config: Config, clock: Clock, clients: ClientAddresses) {
    this.#db = db
    this.#clients = clients
    this.sessions = new Sessions(db, config, clock, clients)
    this.#passwords = new PasswordSignIn(db, config, clock, this.plugs, this.sessions)
    this.#isFactorEnforced = config.security.TWO_FACTOR_AUTH === 'enforced'
    this.#ownHosts = [URL.parse(config.server.ROOT_URL)?.host].filter((host) => host !== undefined)
    this.#proxy = new ReverseProxy({ db, config, clients, plugs: this.plugs, ownHosts: this.#ownHosts })
    const tokens = new AccessTokens(db, clock, this.plugs)
    this.#methods = [
      new HeaderToken(tokens),
      new Basic({ tokens, passwords: this.#passwords, clients, ownHosts: this.#ownHosts }),
      new HttpSignature({ db, config, clock, clients }),
      new QueryToken(config, tokens),
      this.#proxy,
    ]
  }

  /**
   * @throws Unauthorized on wrong credentials; Forbidden for accounts that may not sign in, and for what another site had a browser send; NotFound when `Sudo` names nobody;
   * Problem 429 when too many passwords wait to be checked, or were wrong
   */
  viewerOf(request: Request, options: SignInOptions = {}): Viewer | Promise<Viewer> {
    const viewer = this.#signIn(request, options)
    return viewer instanceof Promise ? viewer.then((one) => this.#admit(one, request, options)) : this.#admit(viewer, request, options)
  }

  /** Whether a program's request has no header that shows who sends it: an empty `Authorization` is none. @throws Unauthorized as `viewerOf` */
  isVisitor(request: Request): boolean {
    const { headers } = request
    return !headers.get('authorization') && !headers.has('signature') && !this.#proxy.namesToProgram(request)
  }

  /**
   * Who is at a browser that asks for a page: whom a trusted proxy names, else by its cookie; `Authorization` and tokens are not looked at.
   * @throws Forbidden for accounts that may not sign in, and for what another site had the browser send; AccountNotReady
   */
  pageViewerOf(request: Request, options: SignInOptions = {}): Viewer | Promise<Viewer> {
    const byProxy = this.#proxy.pageViewerOf(request)
    if (byProxy) return byProxy instanceof Promise ? byProxy.then((viewer) => this.#ready(viewer, options)) : this.#ready(byProxy, options)
    requireSameSite(request, this.#ownHosts, this.sessions.hasCookie(request))
    return this.#ready(this.sessions.viewerOf(request), options)
  }

  /** Whom a page greets that says what went wrong: nothing goes wrong again for it. */
  greetedViewerOf(request: Request): Viewer {
    try {
      return this.#proxy.greetedViewerOf(request) ?? this.sessions.viewerOf(request)
    } catch {
      return anonymous
    }
  }

  /** Whether a form says of itself that a page of ours sent it: what another site had a browser send is not even shown again. */
  isOfOurs(request: Request): boolean {
    try {
      requireSameSite(request, this.#ownHosts, true)
      return true
    } catch {
      return false
    }
  }

  /**
   * For what programs and browsers both ask for, files as they are: whatever credentials a request shows, else the cookie. It only reads.
   */
  eitherViewerOf(request: Request): Viewer | Promise<Viewer> {
    const isByBrowser = this.sessions.hasCookie(request) || this.#proxy.names(request)
    const orByCookie = (viewer: Viewer) => (viewer.user || !isByBrowser ? viewer : this.pageViewerOf(request))
    if (isByBrowser && !request.headers.has('authorization')) return this.pageViewerOf(request)
    const viewer = this.viewerOf(request)
    return viewer instanceof Promise ? viewer.then(orByCookie) : orByCookie(viewer)
  }

  /**
   * Checks what was typed into a sign-in form. Undefined when it is wrong, or nobody has that name; the two take as long.
   * Whether a password alone is enough, `asksSecondFactor` tells.
   * @throws Forbidden for accounts that may not sign in; Problem 429 when too many passwords were wrong
   */
  async checkPassword(name: string, password: string, request: Request): Promise<UserRow | undefined> {
    const user = await this.provePassword(name, password, request)
    if (user) this.refuseBarred(user)
    return user
  }

  /** The same for what accounts do that may not sign in, or not yet. @throws Problem 429 */
  provePassword(name: string, password: string, request: Request): Promise<UserRow | undefined> {
    return this.#passwords.check(name, password, this.#clients.of(request), this.sessions.viewerOf(request))
  }

  /** For accounts that were found in another way. @throws Forbidden when they may not sign in */
  refuseBarred(user: UserRow): void {
    if (user.is_active === 0) throw new Forbidden('This account is not activated.')
    if (user.prohibit_login === 1) throw new Forbidden('This account is prohibited from signing in, please contact your site administrator.')
  }

  /** What has to be done about the account, where pages are, before it may do anything else. */
  whyNotReady(user: UserRow): AccountNotReady | undefined {
    if (user.must_change_password === 1) return new AccountNotReady(mustChange, '/user/settings/change_password')
    if (!this.#isFactorEnforced || !this.#passwords.lacksSecondFactor(user)) return undefined
    return new AccountNotReady(
      'This server requires two-factor authentication. Set it up in a browser at /user/settings/security first.',
      '/user/settings/security',
    )
  }

  /** Whether the account asks for more than its password. */
  asksSecondFactor(user: UserRow): boolean {
    return this.#passwords.asksSecondFactor(user)
  }

  /** Whether the code of the account's second factor is right; it is right once. @throws Problem 429 when too many were wrong */
  checkCode(user: UserRow, code: string, request: Request): Promise<boolean> {
    return this.#passwords.checkCode(user, code, this.#clients.of(request))
  }

  /** The same for codes that others check: recovery codes. @throws Problem 429 */
  beginCode(user: UserRow, request: Request): Attempt {
    return this.#passwords.beginCode(user, this.#clients.of(request))
  }

  /** Asks a person at a browser to prove themselves again, unless they have just done so. @throws Forbidden; Problem 429 as `checkPassword` */
  async requireRecent(viewer: Member, password: string | undefined, request: Request): Promise<void> {
    if (this.sessions.isRecent(viewer)) return
    const user = password ? await this.checkPassword(viewer.user.name, password, request) : undefined
    if (user?.id !== viewer.user.id)
      throw new Forbidden('The password is missing or incorrect. Enter your current password to confirm. If you have no password, sign out and sign in again.')
  }

  /** A promise only where something is waited for: what needs no waiting costs none. */
  #signIn(request: Request, options: SignInOptions): Viewer | Promise<Viewer> {
    const authorization = authorizationIn(request)
    for (const method of this.#methods) {
      const viewer = method.viewerOf(request, options, authorization)
      if (viewer) return viewer
    }
    return anonymous
  }

  #admit(viewer: Viewer, request: Request, options: SignInOptions): Viewer {
    this.#ready(viewer, options)
    if (options.asThemselves) return viewer
    const sudo = queryValue(request.url, 'sudo') ?? request.headers.get('sudo')
    return sudo ? this.#actAs(viewer, sudo, request) : viewer
  }

  /** @throws Forbidden for accounts that may not sign in; AccountNotReady for those that may, and no more */
  #ready(viewer: Viewer, { toBecomeReady = false }: SignInOptions): Viewer {
    const { user, via } = viewer
    if (!user) return viewer
    this.refuseBarred(user)
    // Nobody who comes through a proxy that signs people in needs a password or a second factor here.
    const notReady = toBecomeReady || via === 'proxy' ? undefined : this.whyNotReady(user)
    if (notReady) throw notReady
    return viewer
  }

  #actAs(viewer: Viewer, name: string, request: Request): Viewer {
    if (!isSiteAdmin(viewer) || !reachesOthers(viewer, request)) throw new Forbidden('Only administrators allowed to sudo.')
    const user = findUserByName(this.#db, name)
    if (user?.kind !== 'person') throw new NotFound()
    return { ...viewer, user }
  }
}

/** Whoever lets an application into their account lets it into nobody else's, unless they give it the administration as well. */
function reachesOthers({ grant, via, tokenId }: Viewer, { method }: Request): boolean {
  const isApplication = via === 'token' && tokenId === undefined
  return !isApplication || grant === undefined || grants(grant, ['admin'], neededLevel(method))
}
