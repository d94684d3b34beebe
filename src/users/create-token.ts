import { accessStore, normalizeScopes, type TokenRow, type UserRow } from '../access/index.ts'
import { BadRequest } from '../kernel/errors.ts'
import { randomHex, sha256Hex } from '../kernel/ids.ts'
import type { UserContext } from './create-user.ts'

/**
 * Makes an access token. Only its hash is kept: `token`, 160 random bits, is seen here and never again.
 * @throws BadRequest when the account has a token of that name, a scope is not known, or none is given
 */
export function createToken(context: UserContext, user: UserRow, name: string, scopes: readonly string[]): { row: TokenRow; token: string } {
  const normalized = normalizeScopes(scopes)
  if ('unknown' in normalized) throw new BadRequest(`invalid access token scope provided: invalid scope "${normalized.unknown.slice(0, 64)}"`)
  if (!grantsAnything(normalized.scopes)) throw new BadRequest('access token must have a scope')
  const token = randomHex(20)
  const row = { user_id: user.id, name, digest: sha256Hex(token), last_eight: token.slice(-8), scopes: normalized.scopes, created_at: context.clock.seconds() }
  const id = context.db.tx((tx) => {
    if (accessStore.findTokenByName(tx, user.id, name)) throw new BadRequest('access token name has been used already')
    return accessStore.insertToken(tx, row)
  })
  return { row: { ...row, id, last_used_at: null }, token }
}

/** `public-only` restricts what other scopes grant; alone it grants nothing. */
function grantsAnything(scopes: string): boolean {
  return scopes !== '' && scopes !== 'public-only'
}
