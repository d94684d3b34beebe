import type { Condition } from '#kernel/condition.ts'
import type { Db } from '#kernel/db.ts'

/** More are not counted: nobody reads the number. */
const MOST_NEWS = 100

/**
 * How much is new to somebody, as the head of every page tells it.
 * @param readable what of repositories `r` they may read now
 */
export function countNews(db: Db, userId: number, readable: { issues: Condition; pulls: Condition }): number {
  const { issues, pulls } = readable
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM notification AS n JOIN issue AS i ON i.id = n.issue_id WHERE n.user_id = ? AND n.status = 'unread'
    AND (i.is_pull = 0 AND i.repo_id IN (SELECT r.id FROM repository AS r WHERE ${issues.sql})
      OR i.is_pull = 1 AND i.repo_id IN (SELECT r.id FROM repository AS r WHERE ${pulls.sql})) LIMIT ?)`
  return db.lookUp<{ n: number }>(sql, userId, ...issues.values, ...pulls.values, MOST_NEWS)?.n ?? 0
}
