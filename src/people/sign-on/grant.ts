import type * as OAuth from 'oauth4webapi'
import type { SourceOf } from '#people/sources/index.ts'
import { type AttemptSecrets, askSite, type ProviderContext } from './protocol.ts'

type Library = typeof OAuth

/** Clocks of two servers are never quite the same. */
const TOLERANCE_SECONDS = 60

/** Loaded with the first sign-in at another site. */
export const loadOAuth = (): Promise<Library> => import('oauth4webapi')

/** What every address that a browser is sent to carries: RFC 6749, section 4.1.1, and RFC 7636. */
export async function paramsFor({ config }: SourceOf<'oauth2'>, { state, verifier }: AttemptSecrets, redirectUri: string): Promise<Record<string, string>> {
  const { calculatePKCECodeChallenge } = await loadOAuth()
  return {
    response_type: 'code',
    client_id: config.client_id,
    redirect_uri: redirectUri,
    state,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }
}

export interface CodeGrant {
  params: URLSearchParams
  secrets: AttemptSecrets
  redirectUri: string
  /** That of the ID token; undefined where none is expected. */
  nonce?: string
}

/** What a code was exchanged for. */
export interface Granted {
  response: Response
  tokens: OAuth.TokenEndpointResponse
  client: OAuth.Client
}

/** Checks what the browser brought, and exchanges the code. @throws what the library does, which `refusalOf` reads */
export async function grantOf(
  context: ProviderContext,
  server: OAuth.AuthorizationServer,
  { params, secrets, redirectUri, nonce }: CodeGrant,
): Promise<Granted> {
  const oauth = await loadOAuth()
  const client = clientOf(oauth, context)
  const checked = oauth.validateAuthResponse(server, client, params, secrets.state)
  const authentication = authenticationOf(oauth, context, server)
  const options = optionsOf(oauth, context, server)
  const response = await oauth.authorizationCodeGrantRequest(server, client, authentication, checked, redirectUri, secrets.verifier, options)
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    response,
    nonce === undefined ? {} : { expectedNonce: nonce, requireIdToken: true },
  )
  return { response, tokens, client }
}

/** How its site is asked: by the guarded client, without TLS only where the administrator said so. */
export function optionsOf(oauth: Library, context: ProviderContext, server: OAuth.AuthorizationServer) {
  return {
    [oauth.customFetch]: (url: string, request: { method: string; headers: Record<string, string>; body?: unknown }) => fetchBy(context, url, request),
    [oauth.allowInsecureRequests]: server.issuer.startsWith('http:'),
  }
}

async function fetchBy(
  context: ProviderContext,
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  const text = body === undefined || body === null ? undefined : String(body)
  const answer = await askSite(context, url, { method, headers, body: text })
  return new Response(answer.bytes.length === 0 ? null : answer.bytes, { status: answer.status, headers: answer.headers })
}

function clientOf(oauth: Library, { source, clock }: ProviderContext): OAuth.Client {
  const skew = clock.seconds() - Math.floor(Date.now() / 1000)
  return { client_id: source.config.client_id, [oauth.clockSkew]: skew, [oauth.clockTolerance]: TOLERANCE_SECONDS }
}

/** In the header where the site takes that; those that say nothing of it take it by the standard. */
function authenticationOf(oauth: Library, { source }: ProviderContext, server: OAuth.AuthorizationServer): OAuth.ClientAuth {
  const { client_secret: secret } = source.config
  if (secret === '') return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}
