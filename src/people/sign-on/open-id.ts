import type * as OAuth from 'oauth4webapi'
import { webAddress } from '#outbound/network/index.ts'
import { readOpenIdDocument } from '#people/sources/index.ts'
import { type Claims, identityFrom } from './claims.ts'
import { grantOf, loadOAuth, optionsOf, paramsFor } from './grant.ts'
import { type AttemptSecrets, askSite, type ExternalIdentity, type Provider, type ProviderContext, SignOnRefused, scopesIn } from './protocol.ts'

/** How long what a provider says of itself is believed. */
const DISCOVERY_SECONDS = 3600

/** An OpenID provider: OpenID Connect Core 1.0 and Discovery 1.0, by authorization code with PKCE alone. */
export class OpenIdProvider implements Provider {
  readonly #context: ProviderContext
  #found: { server: Promise<OAuth.AuthorizationServer>; until: number } | undefined

  constructor(context: ProviderContext) {
    this.#context = context
  }

  async addressFor(secrets: AttemptSecrets, redirectUri: string): Promise<string> {
    const { source, scopes } = this.#context
    const further = scopes.length > 0 ? scopes : ['profile', 'email', ...scopesIn(source.config.scopes)]
    const url = webAddress((await this.#server()).authorization_endpoint, 'authorization endpoint')
    const params = { ...(await paramsFor(source, secrets, redirectUri)), scope: [...new Set(['openid', ...further])].join(' '), nonce: secrets.nonce }
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
    return url.href
  }

  async identify(params: URLSearchParams, secrets: AttemptSecrets, redirectUri: string): Promise<ExternalIdentity> {
    const oauth = await loadOAuth()
    const server = await this.#server()
    const { response, tokens, client } = await grantOf(this.#context, server, { params, secrets, redirectUri, nonce: secrets.nonce })
    const options = optionsOf(oauth, this.#context, server)
    // TLS to the token's endpoint would do by the standard; a site that is asked without it must sign.
    await oauth.validateApplicationLevelSignature(server, response, options)
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (!claims) throw new SignOnRefused('The response contains no ID token')
    const info = server.userinfo_endpoint === undefined ? {} : await this.#askForMore(server, client, tokens.access_token, claims.sub)
    return identityFrom(server.issuer, claims, info)
  }

  async #askForMore(server: OAuth.AuthorizationServer, client: OAuth.Client, token: string, subject: string): Promise<Claims> {
    const oauth = await loadOAuth()
    const options = optionsOf(oauth, this.#context, server)
    const response = await oauth.userInfoRequest(server, client, token, options)
    const isSigned = response.headers.get('content-type')?.startsWith('application/jwt') === true
    const info = await oauth.processUserInfoResponse(server, client, subject, response)
    if (isSigned) await oauth.validateApplicationLevelSignature(server, response, options)
    return info
  }

  /** What the provider says of itself; asked once for all who come at the same time. */
  #server(): Promise<OAuth.AuthorizationServer> {
    const now = this.#context.clock.seconds()
    if (this.#found && this.#found.until > now) return this.#found.server
    const found = { server: this.#discover(), until: now + DISCOVERY_SECONDS }
    this.#found = found
    found.server.catch(() => {
      if (this.#found === found) this.#found = undefined
    })
    return found.server
  }

  async #discover(): Promise<OAuth.AuthorizationServer> {
    const ask = (address: string) => askSite(this.#context, address, { headers: { Accept: 'application/json' } })
    const server = await readOpenIdDocument(ask, this.#context.source.config.discovery_url)
    return { ...server, id_token_signing_alg_values_supported: asymmetric(server.id_token_signing_alg_values_supported) }
  }
}

/** A key that others know too signs nothing: neither `none` nor HMAC under the client's secret. */
function asymmetric(algorithms: unknown): string[] {
  const listed = Array.isArray(algorithms) ? algorithms : ['RS256']
  return listed.filter((one): one is string => typeof one === 'string' && /^(RS|PS|ES)\d{3}$|^Ed(DSA|25519)$/.test(one))
}
