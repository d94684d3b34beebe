import type { RepoRow } from '#access/index.ts'
import type { Condition } from '#kernel/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** The fork of a repository that an account has already. */
export function findForkOf(db: Db, repoId: number, ownerId: number): RepoRow | undefined {
  return db.find<RepoRow>('SELECT * FROM repository WHERE fork_of = ? AND owner_id = ?', repoId, ownerId)
}

/** Forks of a repository, the oldest first. @param visible which rows of `repository AS r` the viewer sees */
export function listForks(db: Db, repoId: number, { sql, values }: Condition, page: Page): { rows: RepoRow[]; total: number } {
  const from = `FROM repository AS r WHERE r.fork_of = ? AND ${sql}`
  const total = db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, repoId, ...values)?.n ?? 0
  return { rows: db.all<RepoRow>(`SELECT r.* ${from} ORDER BY r.id LIMIT ? OFFSET ?`, repoId, ...values, page.limit, page.offset), total }
}
