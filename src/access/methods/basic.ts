import { Unauthorized } from '#kernel/errors.ts'
import type { ClientAddresses } from '../client-address.ts'
import { refuseCrossSite } from '../cross-site.ts'
import type { PasswordSignIn } from '../password-sign-in.ts'
import type { UserRow } from '../rows.ts'
import type { Viewer } from '../viewer.ts'
import type { AccessTokens } from './access-tokens.ts'
import { type Authorization, wrongCredentials } from './credentials.ts'
import type { SignInMethod, SignInOptions } from './sign-in-method.ts'

/** Where a client shows the code of a second factor. */
const codeHeaders = ['x-gitea-otp', 'x-forgejo-otp']

/** What basic authentication needs to know of the server around it. */
interface Parts {
  tokens: AccessTokens
  passwords: PasswordSignIn
  clients: ClientAddresses
  /** Hosts under which the server is known besides the one it was asked under. */
  ownHosts: readonly string[]
}

interface NameAndSecret {
  name: string
  secret: string
}

/** `Authorization: Basic` of `user:password`, `user:token`, `token:` or `token:x-oauth-basic`. Source: RFC 7617. */
export class Basic implements SignInMethod {
  readonly #parts: Parts
  /** Whose code a request has shown: the gate asks again after a slow body, and a code is right once. */
  readonly #coded = new WeakMap<Request, number>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  viewerOf(request: Request, options: SignInOptions, authorization: Authorization | undefined): Viewer | Promise<Viewer> | undefined {
    if (authorization?.scheme !== 'basic') return undefined
    refuseCrossSite(request, this.#parts.ownHosts)
    const shown = parseBasic(authorization.value)
    // Asked for before anything is awaited: it is forgotten with the connection.
    const address = this.#parts.clients.of(request)
    const byToken = this.#parts.tokens.find(tokenIn(shown))
    if (byToken instanceof Promise) return byToken.then((viewer) => viewer ?? this.#byPassword(shown, request, options, address))
    return byToken ?? this.#byPassword(shown, request, options, address)
  }

  async #byPassword({ name, secret }: NameAndSecret, request: Request, options: SignInOptions, address: string): Promise<Viewer> {
    const user = await this.#parts.passwords.check(name, secret, address)
    if (!user) throw wrongCredentials()
    if (this.#parts.passwords.asksSecondFactor(user)) await this.#requireCode(user, request, options, address)
    return { user, grant: undefined, via: 'password', queryToken: false }
  }

  /** @throws Unauthorized; Problem 429 when too many codes were wrong */
  async #requireCode(user: UserRow, request: Request, options: SignInOptions, address: string): Promise<void> {
    const { passwords } = this.#parts
    if (this.#coded.get(request) === user.id) return
    if (options.withoutCodes) throw new Unauthorized('Two-factor authentication is enabled for this account: use an access token instead of the password.')
    if (passwords.hasSecurityKeysOnly(user)) throw new Unauthorized('basic authorization is not allowed while WebAuthn enrolled; use an access token')
    const code = codeHeaders.map((name) => request.headers.get(name)).find(Boolean)
    if (!code) throw new Unauthorized('Two-factor authentication is enabled for this account: send the code in the X-Gitea-OTP header, or use an access token.')
    if (!(await passwords.checkCode(user, code, address))) throw new Unauthorized('The two-factor code is incorrect or was already used.')
    this.#coded.set(request, user.id)
  }
}

/** @throws Unauthorized */
function parseBasic(encoded: string): NameAndSecret {
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 0) throw wrongCredentials()
  return { name: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Whichever of the two could be one. */
function tokenIn({ name, secret }: NameAndSecret): string {
  return secret === '' || secret === 'x-oauth-basic' ? name : secret
}
