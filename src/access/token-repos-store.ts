import { allOf, condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { Viewer } from './viewer.ts'
import { visibleTo } from './visibility-store.ts'

export interface TokenRepoRow {
  token_id: number
  id: number
  name: string
  owner: string
}

/** The repositories that tokens are limited to, as far as the viewer sees them. */
export function listTokenRepos(db: Db, tokenIds: readonly number[], viewer: Viewer): TokenRepoRow[] {
  const where = allOf([condition('t.token_id IN (SELECT value FROM json_each(?))', JSON.stringify(tokenIds)), visibleTo(viewer)])
  return db.all<TokenRepoRow>(
    `SELECT t.token_id, r.id, r.name, owner.name AS owner
     FROM access_token_repository AS t JOIN repository AS r ON r.id = t.repo_id JOIN user AS owner ON owner.id = r.owner_id
     WHERE ${where.sql} ORDER BY t.token_id, r.id`,
    ...where.values,
  )
}

/** The repositories that a limited token reaches, whoever sees them. */
export function listTokenRepoIds(db: Db, tokenId: number): number[] {
  return db.all<{ repo_id: number }>('SELECT repo_id FROM access_token_repository WHERE token_id = ? ORDER BY repo_id', tokenId).map(({ repo_id }) => repo_id)
}
