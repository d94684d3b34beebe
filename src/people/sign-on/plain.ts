import type * as OAuth from 'oauth4webapi'
import { objectIn, parseJson, Unreachable, webAddress } from '#outbound/network/index.ts'
import { type Claims, subjectOf, textOf } from './claims.ts'
import { grantOf, paramsFor } from './grant.ts'
import { addressesOf, type PlainAddresses, type PlainShape } from './plain-shapes.ts'
import { type AttemptSecrets, askSite, type ExternalIdentity, type Provider, type ProviderContext, scopesIn } from './protocol.ts'

/** A site that knows OAuth 2.0 alone, and tells whom a token is for by an API of its own. */
export class PlainProvider implements Provider {
  readonly #context: ProviderContext
  readonly #shape: PlainShape
  readonly #addresses: PlainAddresses

  constructor(context: ProviderContext, shape: PlainShape) {
    this.#context = context
    this.#shape = shape
    this.#addresses = addressesOf(shape, context.source.config)
  }

  async addressFor(secrets: AttemptSecrets, redirectUri: string): Promise<string> {
    const { source } = this.#context
    const url = webAddress(this.#addresses.authorize, 'authorization URL')
    const scopes = [...this.#shape.scopes, ...scopesIn(source.config.scopes)].filter((one) => one !== 'openid')
    const params = { ...(await paramsFor(source, secrets, redirectUri)), scope: [...new Set(scopes)].join(' ') }
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    return url.href
  }

  async identify(params: URLSearchParams, secrets: AttemptSecrets, redirectUri: string): Promise<ExternalIdentity> {
    const { tokens } = await grantOf(this.#context, this.#server(params), { params, secrets, redirectUri })
    const profile = objectIn(await this.#ask(this.#addresses.profile, tokens.access_token), 'profile')
    const emails = this.#addresses.emails === '' ? [] : await this.#emails(tokens.access_token)
    return this.#present(profile, emails)
  }

  /** A site without a document of its own is known by where people are sent: what names another issuer was meant for another source. */
  #server(params: URLSearchParams): OAuth.AuthorizationServer {
    const { origin } = webAddress(this.#addresses.authorize, 'authorization URL')
    const said = params.get('iss')
    const issuer = said !== null && URL.parse(said)?.origin === origin ? said : origin
    return {
      issuer,
      authorization_endpoint: this.#addresses.authorize,
      token_endpoint: this.#addresses.token,
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }
  }

  async #ask(url: string, token: string) {
    return askSite(this.#context, url, { headers: { Accept: 'application/json', Authorization: `Bearer ${token}` } })
  }

  async #emails(token: string): Promise<Claims[]> {
    const answer = await this.#ask(this.#addresses.emails, token)
    // Who did not let us see them has none.
    if (answer.status === 403 || answer.status === 404) return []
    const found = answer.status === 200 ? parseJson(answer.bytes, 'list of email addresses') : undefined
    if (!Array.isArray(found)) throw new Unreachable('The list of email addresses is invalid')
    return found.filter((one): one is Claims => typeof one === 'object' && one !== null)
  }

  #present(profile: Claims, emails: readonly Claims[]): ExternalIdentity {
    const { names, isVerified } = this.#shape
    const primary = emails.find((one) => one.primary === true && one.verified === true) ?? emails.find((one) => one.verified === true)
    const subject = subjectOf(textOf(profile, 'id'))
    const nickname = textOf(profile, names.nickname)
    return {
      issuer: new URL(this.#addresses.authorize).origin,
      subject,
      nickname,
      preferredUsername: nickname,
      email: primary ? textOf(primary, 'email') : textOf(profile, 'email'),
      isEmailVerified: primary ? true : isVerified(profile),
      fullName: textOf(profile, names.fullName),
      picture: textOf(profile, 'avatar_url'),
      claims: profile,
    }
  }
}
