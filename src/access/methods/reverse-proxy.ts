import type { Config } from '#config.ts'
import type { Database } from '#kernel/db.ts'
import { Forbidden, NotFound, Unauthorized } from '#kernel/errors.ts'
import type { ClientAddresses } from '../client-address.ts'
import { refuseCrossSite, requireSameSite } from '../cross-site.ts'
import type { ProxyPerson } from '../proxy-accounts.ts'
import type { UserRow } from '../rows.ts'
import type { SignInPlugs } from '../sign-in-plugs.ts'
import { findUserByEmail, findUserByName } from '../store.ts'
import type { Viewer } from '../viewer.ts'
import type { SignInMethod } from './sign-in-method.ts'

interface Parts {
  db: Database
  config: Config
  clients: ClientAddresses
  plugs: SignInPlugs
  /** Hosts under which the server is known besides the one it was asked under. */
  ownHosts: readonly string[]
}

const MAX_FULL_NAME = 100

type Refusal = typeof Forbidden | typeof Unauthorized

/** Whom a proxy names, by a name or an address. */
type Named = { [Key in keyof ProxyPerson]: string | undefined }

/**
 * Whom a proxy in front of the server says that it has signed in: `X-Webauth-User`, or `X-Webauth-Email` alone. The machine that the
 * request was taken from must be one of the trusted proxies; from anyone else these headers are nothing.
 */
export class ReverseProxy implements SignInMethod {
  readonly #parts: Parts
  readonly #isOn: boolean
  readonly #isOnForPrograms: boolean
  readonly #names: { user: string; email: string; fullName: string }

  constructor(parts: Parts) {
    const { service, security } = parts.config
    this.#parts = parts
    this.#isOn = service.ENABLE_REVERSE_PROXY_AUTHENTICATION
    this.#isOnForPrograms = this.#isOn && service.ENABLE_REVERSE_PROXY_AUTHENTICATION_API
    this.#names = {
      user: security.REVERSE_PROXY_AUTHENTICATION_USER.toLowerCase(),
      email: security.REVERSE_PROXY_AUTHENTICATION_EMAIL.toLowerCase(),
      fullName: security.REVERSE_PROXY_AUTHENTICATION_FULL_NAME.toLowerCase(),
    }
  }

  /** For the API and git. A browser sends what the proxy goes by with whatever another site has it send: that is refused. */
  viewerOf(request: Request): Viewer | Promise<Viewer> | undefined {
    const person = this.#isOnForPrograms ? this.#personIn(request, Unauthorized) : undefined
    if (!person) return undefined
    refuseCrossSite(request, this.#parts.ownHosts)
    return this.#signIn(person)
  }

  /** For pages, as `viewerOf`. */
  pageViewerOf(request: Request): Viewer | Promise<Viewer> | undefined {
    // Whoever is told to sign in on a page comes back here.
    const person = this.#isOn ? this.#personIn(request, Forbidden) : undefined
    if (!person) return undefined
    requireSameSite(request, this.#parts.ownHosts, true)
    return this.#signIn(person)
  }

  /** Whom a page that says what went wrong greets: an account that there is. @throws as `pageViewerOf` */
  greetedViewerOf(request: Request): Viewer | undefined {
    const { name, email } = (this.#isOn && this.#personIn(request, Forbidden)) || {}
    const { db } = this.#parts
    const found = name === undefined ? email && findUserByEmail(db, email) : findUserByName(db, name)
    return found && found.kind === 'person' ? viewerFor(found) : undefined
  }

  /** Whether a page would be shown to whom a proxy names. */
  names(request: Request): boolean {
    return this.#isOn && this.#personIn(request, Forbidden) !== undefined
  }

  /** Whether a program's request is somebody's whom a proxy names. @throws Unauthorized */
  namesToProgram(request: Request): boolean {
    return this.#isOnForPrograms && this.#personIn(request, Unauthorized) !== undefined
  }

  #signIn(person: Named): Viewer | Promise<Viewer> {
    const user = this.#find(person)
    return user instanceof Promise ? user.then(viewerFor) : viewerFor(user)
  }

  #find({ name, email, fullName }: Named): UserRow | Promise<UserRow> {
    const { db, config, plugs } = this.#parts
    const found = name === undefined ? findUserByEmail(db, email as string) : findUserByName(db, name)
    if (found?.kind === 'person') return found
    const isMade = name !== undefined && !found && config.service.ENABLE_REVERSE_PROXY_AUTO_REGISTRATION
    if (!isMade || !plugs.proxyAccounts) throw new NotFound(`No account exists for the user that the proxy signed in [${(name ?? email)?.slice(0, 100)}]`)
    return plugs.proxyAccounts.register({ name, email, fullName })
  }

  /** @throws Refusal when a header is there in several ways: the proxy set one of them, its client may have sent the other */
  #personIn(request: Request, Refusal: Refusal): Named | undefined {
    const { service } = this.#parts.config
    const { user, email, fullName } = this.#names
    const isSaid = request.headers.has(user) || (service.ENABLE_REVERSE_PROXY_EMAIL && request.headers.has(email))
    if (!isSaid || !this.#parts.clients.isFromProxy(request)) return undefined
    this.#refuseDoubles(request, Refusal)
    const person = {
      name: valueIn(request, user),
      email: service.ENABLE_REVERSE_PROXY_EMAIL ? valueIn(request, email) : undefined,
      fullName: service.ENABLE_REVERSE_PROXY_FULL_NAME ? valueIn(request, fullName)?.slice(0, MAX_FULL_NAME) : undefined,
    }
    return person.name === undefined && person.email === undefined ? undefined : person
  }

  /** Proxies take away what their clients send under the header's name; some programs read underscores for dashes, and two values as one. */
  #refuseDoubles({ headers }: Request, Refusal: Refusal): void {
    const own: string[] = Object.values(this.#names)
    for (const [name] of headers) {
      if (!own.includes(name) && own.includes(name.replaceAll('_', '-'))) throw new Refusal(smuggled(name))
    }
    for (const name of [this.#names.user, this.#names.email]) if (headers.get(name)?.includes(',')) throw new Refusal(smuggled(name))
  }
}

function viewerFor(user: UserRow): Viewer {
  return { user, grant: undefined, via: 'proxy', queryToken: false }
}

/** Proxies write UTF-8, which arrives byte by byte. Undefined when there is nothing in it. */
function valueIn({ headers }: Request, name: string): string | undefined {
  const value = headers.get(name)?.trim()
  if (!value || !/[^\x20-\x7e]/.test(value)) return value || undefined
  const bytes = Buffer.from(value, 'latin1')
  const text = new TextDecoder().decode(bytes)
  return /[\p{Cc}\ufffd]/u.test(text) ? undefined : text
}

function smuggled(name: string): string {
  return `The header ${name} is ambiguous: it was sent more than once, or with an underscore in its name. Check the configuration of the proxy.`
}
