import type { Condition } from '#kernel/database/condition.ts'
import type { Db } from '#kernel/db.ts'
import { readableOneByOne } from './store.ts'

/** More are not counted: nobody reads the number. */
const MOST_NEWS = 100

/**
 * How much is new to somebody, as the head of every page tells it.
 * @param readable what of repositories `r` they may read now
 */
export function countNews(db: Db, userId: number, readable: { issues: Condition; pulls: Condition }): number {
  const may = readableOneByOne(readable)
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM notification AS n CROSS JOIN issue AS i ON i.id = n.issue_id WHERE n.user_id = ? AND n.status = 'unread'
    AND ${may.sql} LIMIT ?)`
  return db.lookUp<{ n: number }>(sql, userId, ...may.values, MOST_NEWS)?.n ?? 0
}
