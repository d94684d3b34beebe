import type { Static } from 'elysia'
import { accessStore, anonymous, type Grant, lineOf, listTokenRepos, type TokenRepoRow, type TokenRow, type UserRow, type Viewer } from '#access/index.ts'
import type { Db, LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { createToken } from './change-tokens.ts'
import type { UserContext } from './create-user.ts'
import type { AccessToken, CreateAccessTokenOption } from './schema.ts'
import { presentToken } from './view.ts'

type AccessTokenRecord = Static<typeof AccessToken>

/** A page of an account's tokens, as records, and how many there are in all. */
export async function showTokens(db: LongDb, viewer: Viewer, user: UserRow, page: Page): Promise<{ tokens: AccessTokenRecord[]; total: number }> {
  const { rows, total } = await accessStore.listTokens(db, lineOf(viewer), user.id, page)
  const repos = reposByToken(db, user, rows)
  return { tokens: rows.map((row) => presentToken(row, repos.get(row.id) ?? [])), total }
}

/** Makes a token and shows it, this once. @param maker what the token may do that asks for it, if one does. @throws as `createToken` */
export function makeToken(context: UserContext, user: UserRow, body: Static<typeof CreateAccessTokenOption>, maker?: Grant): AccessTokenRecord {
  const { row, token } = createToken(context, user, body.name, body.scopes ?? [], { repositories: body.repositories ?? undefined, maker })
  return presentToken(row, reposByToken(context.db, user, [row]).get(row.id) ?? [], token)
}

/** What limited tokens are limited to, by their ids; what their holder does not see any more is left out. */
export function reposByToken(db: Db, user: UserRow, rows: readonly TokenRow[]): Map<number, TokenRepoRow[]> {
  const limited = rows.filter(({ is_limited }) => is_limited === 1).map(({ id }) => id)
  return Map.groupBy(limited.length === 0 ? [] : listTokenRepos(db, limited, { ...anonymous, user }), ({ token_id }) => token_id)
}
