import { accessStore, type Grant, normalizeScopes, type TokenRow, type UserRow } from '#access/index.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import type { UserContext } from './create-user.ts'
import { refuseWider } from './rules.ts'

/**
 * Makes an access token. Only its hash is kept: `token`, 160 random bits, is seen here and never again.
 * @param maker what the token may do that asks for this one, if one does
 * @throws BadRequest when the account has a token of that name, a scope is not known, or none is given; Forbidden when it could do more than its maker
 */
export function createToken(context: UserContext, user: UserRow, name: string, scopes: readonly string[], maker?: Grant): { row: TokenRow; token: string } {
  const normalized = normalizeScopes(scopes)
  if ('unknown' in normalized) throw new BadRequest(`invalid access token scope provided: invalid scope "${normalized.unknown.slice(0, 64)}"`)
  if (!grantsAnything(normalized.scopes)) throw new BadRequest('access token must have a scope')
  if (maker) refuseWider(maker, normalized.scopes)
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

/** @param name or id, by which the account has it. @throws NotFound */
export function deleteToken(context: Pick<UserContext, 'db'>, user: UserRow, name: string): void {
  context.db.tx((tx) => {
    const row = accessStore.findTokenByIdOrName(tx, user.id, name)
    if (!row) throw new NotFound()
    accessStore.deleteToken(tx, row.id)
  })
}
