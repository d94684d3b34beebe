import { createHash } from 'node:crypto'
import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { claimsOf } from './claims.ts'
import { credentialOf } from './issue-codes.ts'
import { issuerOf } from './issuer.ts'
import { OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'
import { isSameText } from './same-text.ts'
import { apiGrantOf, formatScopes, isWithin, parseScopes } from './scopes.ts'
import { digestOf, isSecret, makeSecret } from './secrets.ts'
import { SigningKeys } from './signing-keys.ts'
import type { ApplicationRow } from './store.ts'
import {
  deleteAuthorization,
  deleteOldTokens,
  findAuthorization,
  findAuthorizationByCode,
  findToken,
  type HeldAuthorization,
  insertToken,
  redeemCode,
  useRefreshToken,
} from './token-store.ts'

/** What an application gets. Source: RFC 6749, section 5.1; OpenID Connect Core 1.0, section 3.1.3.3. */
export interface TokenAnswer {
  access_token: string
  token_type: 'bearer'
  expires_in: number
  refresh_token: string
  scope: string
  id_token?: string
}

/** Two requests of one application that cross on the way are no theft; the second is refused, and nothing else. */
const LEEWAY_SECONDS = 10

/** Of one authorization; used refresh tokens are kept to recognise them. */
const MAX_TOKENS = { access: 20, refresh: 1000 }

/** Exchanges a code, once. A second time ends what the first gave: either was not who asked. @throws OAuthError */
export async function exchangeCode(context: Context, client: ApplicationRow, parameters: Parameters): Promise<TokenAnswer> {
  const held = findAuthorizationByCode(context.db, digestOf(parameters.get('code') ?? ''))
  if (!held || held.application_id !== client.id) throw new OAuthError('invalid_grant', 'client is not authorized')
  const now = context.clock.seconds()
  if (held.redeemed_at !== null) throw revoked(context, held.id, 'the code was already used')
  if (held.code_expires_at <= now) throw new OAuthError('invalid_grant', 'authorization code expired')
  if ((parameters.get('redirect_uri') ?? '') !== held.redirect_uri) throw new OAuthError('unauthorized_client', 'unexpected redirect URI')
  requireVerifier(held, parameters.get('code_verifier'))
  const user = getHolder(context, held.user_id)
  if (!isSameText(credentialOf(user), held.credential)) throw new OAuthError('invalid_grant', 'the password was changed after the code was issued')
  const tokens = context.db.tx((tx) => (redeemCode(tx, held.id, now) ? insertTokens(context, tx, held, held.scope) : undefined))
  if (!tokens) throw revoked(context, held.id, 'the code was already used')
  return withIdToken(context, client, user, held, tokens, held.nonce)
}

/** Exchanges a refresh token for a new pair. One that was exchanged before has two holders, and ends all that came of it. @throws OAuthError */
export async function refreshTokens(context: Context, client: ApplicationRow, parameters: Parameters): Promise<TokenAnswer> {
  const shown = parameters.get('refresh_token') ?? ''
  const token = isSecret('refresh', shown) ? findToken(context.db, digestOf(shown)) : undefined
  const held = token && findAuthorization(context.db, token.authorization_id)
  if (!token || !held || token.application_id !== client.id) throw new OAuthError('invalid_grant', 'unable to parse refresh token')
  const now = context.clock.seconds()
  if (token.used_at !== null) {
    if (now - token.used_at <= LEEWAY_SECONDS) throw new OAuthError('invalid_grant', 'token was already used')
    throw revoked(context, held.id, 'token was already used')
  }
  if (token.expires_at <= now) throw new OAuthError('invalid_grant', 'the refresh token has expired')
  const user = getHolder(context, held.user_id)
  const scope = narrowed(held.scope, parameters.get('scope'))
  const isOnce = context.config.oauth2.INVALIDATE_REFRESH_TOKENS
  const tokens = context.db.tx((tx) => (!isOnce || useRefreshToken(tx, token.id, now) ? insertTokens(context, tx, held, scope) : undefined))
  if (!tokens) throw new OAuthError('invalid_grant', 'token was already used')
  return withIdToken(context, client, user, held, tokens, '')
}

function revoked(context: Pick<Context, 'db'>, authorizationId: number, description: string): OAuthError {
  context.db.tx((tx) => deleteAuthorization(tx, authorizationId))
  return new OAuthError('invalid_grant', description)
}

/** RFC 7636, section 4.6. A verifier where no challenge was sent is refused as well: somebody may have taken it out on the way. */
function requireVerifier({ code_challenge, code_challenge_method }: HeldAuthorization, verifier: string | undefined): void {
  if (code_challenge_method === '' && verifier === undefined) return
  const isWellFormed = verifier !== undefined && /^[\w.~-]{43,128}$/.test(verifier)
  const computed =
    code_challenge_method === 'S256'
      ? createHash('sha256')
          .update(verifier ?? '')
          .digest('base64url')
      : (verifier ?? '')
  if (code_challenge_method === '' || !isWellFormed || !isSameText(computed, code_challenge)) {
    throw new OAuthError('invalid_grant', 'failed PKCE code challenge')
  }
}

/** @throws OAuthError when the account may not sign in, or not yet: nothing is given in its name then */
function getHolder({ db, authenticator }: Pick<Context, 'db' | 'authenticator'>, userId: number): UserRow {
  const user = accessStore.findUserById(db, userId)
  if (!user || user.is_active === 0 || user.prohibit_login === 1 || authenticator.whyNotReady(user)) {
    throw new OAuthError('invalid_grant', 'the account is not allowed to sign in')
  }
  return user
}

/** @throws OAuthError when more is asked for than was agreed to */
function narrowed(scope: string, asked: string | undefined): string {
  if (asked === undefined) return scope
  const [less, whole] = [parseScopes(asked), parseScopes(scope)]
  if (!isWithin(less, whole)) throw new OAuthError('invalid_scope', 'the scope exceeds what was granted')
  return formatScopes(less)
}

function insertTokens({ config, clock }: Pick<Context, 'config' | 'clock'>, tx: Tx, held: HeldAuthorization, scope: string): TokenAnswer {
  const now = clock.seconds()
  const { ACCESS_TOKEN_EXPIRATION_TIME, REFRESH_TOKEN_EXPIRATION_TIME } = config.oauth2
  const life = { access: ACCESS_TOKEN_EXPIRATION_TIME, refresh: REFRESH_TOKEN_EXPIRATION_TIME * 3600 }
  const add = (kind: 'access' | 'refresh', scope: string) => {
    const token = makeSecret(kind)
    insertToken(tx, { authorization_id: held.id, kind, digest: digestOf(token), scope, created_at: now, expires_at: now + life[kind] })
    deleteOldTokens(tx, held.id, kind, MAX_TOKENS[kind])
    return token
  }
  return { access_token: add('access', scope), token_type: 'bearer', expires_in: life.access, refresh_token: add('refresh', held.scope), scope }
}

async function withIdToken(
  context: Context,
  client: ApplicationRow,
  user: UserRow,
  held: HeldAuthorization,
  tokens: TokenAnswer,
  nonce: string,
): Promise<TokenAnswer> {
  const { identity } = parseScopes(tokens.scope)
  if (!identity.includes('openid')) return tokens
  const now = context.clock.seconds()
  const id_token = await context.services.get(SigningKeys).sign({
    ...claimsOf(context, user, identity, apiGrantOf(tokens.scope).publicOnly),
    iss: issuerOf(context),
    aud: client.client_id,
    iat: now,
    exp: now + tokens.expires_in,
    auth_time: held.signed_in_at,
    ...(nonce && { nonce }),
  })
  return { ...tokens, id_token }
}
