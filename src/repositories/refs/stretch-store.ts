import type { Db } from '#kernel/db.ts'
import { afterPrefix, IS_BRANCH, type RefRow, VISIBLE } from './store.ts'

/** Refs a stretch at a time, of repositories that may have very many. */

/** How many refs begin with `prefix` among the next `limit` behind a name, and the last of their names. */
export function measureStretch(
  db: Db,
  repoId: number,
  { prefix, after, limit }: { prefix: string; after: string; limit: number },
): { count: number; last: string } {
  const names = `SELECT name FROM ref WHERE repo_id = ? AND name > ? AND name < ? AND ${VISIBLE} ORDER BY name LIMIT ?`
  const found = db.find<{ count: number; last: string | null }>(
    `SELECT count(*) AS count, max(name) AS last FROM (${names})`,
    repoId,
    after,
    afterPrefix(prefix),
    limit,
  )
  return { count: found?.count ?? 0, last: found?.last ?? after }
}

/** Where a branch stands in the order of `listBranches`. */
export type BranchPlace = Pick<RefRow, 'name' | 'time'>

/** The next branches behind a place, in the order of `listBranches`. */
export function listBranchesAfter(db: Db, repoId: number, place: BranchPlace | undefined, limit: number): BranchPlace[] {
  const found: BranchPlace[] = []
  const add = (condition: string, order: string, ...values: (string | number)[]) => {
    if (found.length === limit) return
    const sql = `SELECT name, time FROM ref INDEXED BY ref_branch_time WHERE repo_id = ? AND ${IS_BRANCH} AND ${condition} AND ${VISIBLE} ORDER BY ${order} LIMIT ?`
    found.push(...db.all<BranchPlace>(sql, repoId, ...values, limit - found.length))
  }
  const { name, time } = place ?? { name: '', time: Number.MAX_SAFE_INTEGER }
  if (time !== null) add('time = ? AND name > ?', 'name', time, name)
  if (time !== null) add('time < ?', 'time DESC, name', time)
  add('time IS NULL AND name > ?', 'name', time === null ? name : '')
  return found
}
