import { accessStore, anonymous, findScopeBeyondRepos, findVisibleRepo, type Grant, normalizeScopes, type TokenRow, type UserRow } from '#access/index.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import type { UserContext } from './create-user.ts'
import { refuseWider } from './rules.ts'

/** A repository by its names, as bodies have it. */
interface RepoTarget {
  owner: string
  name: string
}

interface TokenLimits {
  /** The only repositories that it is for; undefined: all. */
  repositories?: readonly RepoTarget[]
  /** What the token may do that asks for this one, if one does. */
  maker?: Grant
}

/**
 * Makes an access token. Only its hash is kept: `token`, 160 random bits, is seen here and never again.
 * @throws BadRequest when the account has a token of that name, a scope is not known, or none is given; Forbidden when it could do more than its maker
 */
export function createToken(
  context: UserContext,
  user: UserRow,
  name: string,
  scopes: readonly string[],
  { repositories, maker }: TokenLimits = {},
): { row: TokenRow; token: string } {
  const normalized = normalizeScopes(scopes)
  if ('unknown' in normalized) throw new BadRequest(`invalid access token scope provided: invalid scope "${normalized.unknown.slice(0, 64)}"`)
  if (!grantsAnything(normalized.scopes)) throw new BadRequest('access token must have a scope')
  const repoIds = repositories && findRepoIds(context, user, repositories, normalized.scopes)
  if (maker) refuseWider(maker, normalized.scopes, repoIds)
  const token = randomHex(20)
  const row = {
    user_id: user.id,
    name,
    digest: sha256Hex(token),
    last_eight: token.slice(-8),
    scopes: normalized.scopes,
    is_limited: repoIds ? 1 : 0,
    created_at: context.clock.seconds(),
  }
  const id = context.db.tx((tx) => {
    if (accessStore.findTokenByName(tx, user.id, name)) throw new BadRequest('access token name has been used already')
    const id = accessStore.insertToken(tx, row)
    for (const repoId of repoIds ?? []) accessStore.insertTokenRepo(tx, id, repoId)
    return id
  })
  return { row: { ...row, id, last_used_at: null }, token }
}

/** `public-only` restricts what other scopes grant; alone it grants nothing. */
function grantsAnything(scopes: string): boolean {
  return scopes !== '' && scopes !== 'public-only'
}

/**
 * What a token is limited to, each once. What its holder does not see does not exist.
 * @throws BadRequest when there are none, one is not there, or the scopes reach beyond repositories
 */
function findRepoIds({ db }: Pick<UserContext, 'db'>, user: UserRow, targets: readonly RepoTarget[], scopes: string): number[] {
  if (targets.length === 0) throw new BadRequest('a token that is limited to repositories must name at least one repository')
  const beyond = findScopeBeyondRepos(scopes)
  if (beyond) throw new BadRequest(`a token that is limited to repositories can only have repository and issue scopes, not ${beyond}`)
  const ids = targets.map(({ owner, name }) => {
    const repo = findVisibleRepo(db, { ...anonymous, user }, owner, name)
    if (!repo) throw new BadRequest(`repository ${owner.slice(0, 100)}/${name.slice(0, 100)} does not exist`)
    return repo.row.id
  })
  return [...new Set(ids)]
}

/** @param name or id, by which the account has it. @throws NotFound */
export function deleteToken(context: Pick<UserContext, 'db'>, user: UserRow, name: string): void {
  context.db.tx((tx) => {
    const row = accessStore.findTokenByIdOrName(tx, user.id, name)
    if (!row) throw new NotFound()
    accessStore.deleteToken(tx, row.id)
  })
}
