import { accessStore, paceOf, requireScope, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parseJsonBody } from '#kernel/bodies/json-body.ts'
import { Problem, Unauthorized } from '#kernel/errors.ts'
import { JSON_TYPE, readBody } from '#kernel/http.ts'
import { claimsOf } from './claims.ts'
import { authenticateClient, authenticateConfidentialClient } from './client-authentication.ts'
import { exchangeCode, refreshTokens, type TokenAnswer } from './issue-tokens.ts'
import { issuerOf } from './issuer.ts'
import { OAuthError } from './oauth-error.ts'
import { Parameters } from './parameters.ts'
import { refuseWhenDisabled } from './refuse-when-disabled.ts'
import { type IdentityScope, identityScopes, parseScopes } from './scopes.ts'
import { digestOf, isSecret } from './secrets.ts'
import type { ApplicationRow } from './store.ts'
import { deleteAuthorization, findToken, type HeldToken } from './token-store.ts'

const MAX_BODY = 65_536

/** An answer to a program, which keeps none of it. */
export function answerJson(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': JSON_TYPE, 'Cache-Control': 'no-store', ...headers } })
}

/** Gives tokens for a code or for a refresh token. */
export function giveTokens(context: Context, request: Request): Promise<Response> {
  return answering(context, request, (parameters) => giveBy(context, authenticateClient(context, request, parameters), parameters))
}

/** Tells an application whether a token of its own holds, and what for. Of others' it says no more than of what is none. RFC 7662. */
export function introspect(context: Context, request: Request): Promise<Response> {
  return answering(context, request, (parameters) => {
    const client = authenticateConfidentialClient(context, request, parameters)
    const token = findOwnToken(context, client, parameters)
    return token ? describeToken(context, client, token) : { active: false }
  })
}

/** Ends a token of the application's own, and all that it came with. RFC 7009. */
export function revoke(context: Pick<Context, 'config' | 'db' | 'clock'>, request: Request): Promise<Response> {
  return answering(context, request, (parameters) => {
    const client = authenticateClient(context, request, parameters)
    const token = findOwnToken(context, client, parameters)
    if (token) context.db.tx((tx) => deleteAuthorization(tx, token.authorization_id))
    return {}
  })
}

const bearerChallenge = { 'WWW-Authenticate': 'Bearer realm="Gitea OAuth2"' }

/**
 * Who holds a token, as far as its scopes tell. One that was not asked for by OpenID Connect tells all to who may read the account, as in Gitea.
 * Source: OpenID Connect Core 1.0, section 5.3.
 * @throws Forbidden when it may not; what the gate throws
 */
export async function tellUser(context: Context, request: Request): Promise<Response> {
  refuseWhenDisabled(context)
  try {
    const viewer = requireUser(await context.authenticator.viewerOf(request, { asThemselves: true }))
    const asked = identityIn(context, request)
    if (!asked.includes('openid')) requireScope(viewer, ['user'], 'read')
    const scopes = asked.includes('openid') ? asked : identityScopes
    return answerJson(claimsOf(context, viewer.user, scopes, viewer.grant?.publicOnly === true))
  } catch (error) {
    if (!(error instanceof Unauthorized)) throw error
    return answerJson({ error: 'invalid_token', error_description: error.message }, 401, bearerChallenge)
  }
}

/** What the token of the request tells by OpenID Connect. */
function identityIn({ db }: Pick<Context, 'db'>, { headers }: Request): readonly IdentityScope[] {
  const [, token = ''] = /^(?:bearer|token) +(\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  const held = isSecret('access', token) ? findToken(db, digestOf(token)) : undefined
  return held ? parseScopes(held.scope).identity : []
}

function giveBy(context: Context, client: ApplicationRow, parameters: Parameters): Promise<TokenAnswer> {
  switch (parameters.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(context, client, parameters)
    case 'refresh_token':
      return refreshTokens(context, client, parameters)
    default:
      throw new OAuthError('unsupported_grant_type', 'Only refresh_token or authorization_code grant type is supported')
  }
}

function findOwnToken({ db }: Pick<Context, 'db'>, client: ApplicationRow, parameters: Parameters): HeldToken | undefined {
  const shown = parameters.get('token') ?? ''
  const token = isSecret('access', shown) || isSecret('refresh', shown) ? findToken(db, digestOf(shown)) : undefined
  return token?.application_id === client.id ? token : undefined
}

function describeToken(context: Context, client: ApplicationRow, token: HeldToken): Record<string, unknown> {
  const user = accessStore.findUserById(context.db, token.user_id)
  const isOver = token.used_at !== null || token.expires_at <= context.clock.seconds()
  if (!user || isOver || user.is_active === 0 || user.prohibit_login === 1) return { active: false }
  return {
    active: true,
    scope: token.scope,
    client_id: client.client_id,
    username: user.name,
    token_type: token.kind === 'access' ? 'bearer' : 'refresh_token',
    exp: token.expires_at,
    iat: token.created_at,
    sub: String(user.id),
    aud: client.client_id,
    iss: issuerOf(context),
  }
}

/** Reads what a program sends and answers it; what goes wrong is told as RFC 6749, section 5.2, has it. */
async function answering(context: Pick<Context, 'config'>, request: Request, work: (parameters: Parameters) => object | Promise<object>): Promise<Response> {
  try {
    if (!context.config.oauth2.ENABLED) throw new OAuthError('invalid_request', 'OAuth2 is disabled on this server', 403)
    const parameters = await readParameters(context, request)
    if (parameters.repeated !== undefined) throw new OAuthError('invalid_request', `${parameters.repeated} is given more than once`)
    return answerJson(await work(parameters))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return answerJson({ error: error.code, error_description: error.message }, error.status, error.headers)
  }
}

/** A form, or JSON, which Gitea takes too. */
async function readParameters({ config }: Pick<Context, 'config'>, request: Request): Promise<Parameters> {
  const bytes = await readBody(request, MAX_BODY, paceOf(config))
  if (!request.headers.get('content-type')?.includes('json')) return new Parameters(new URLSearchParams(new TextDecoder().decode(bytes)))
  const body = jsonIn(bytes)
  const texts = Object.entries(body as object).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return new Parameters(texts)
}

function jsonIn(bytes: Uint8Array): object {
  try {
    const body = parseJsonBody(bytes)
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  throw new OAuthError('invalid_request', 'the request body must be a form or a JSON object')
}
