import type { Db } from '#kernel/db.ts'
import { type Readable, readableOneByOne } from './store.ts'

/** More are not counted: nobody reads the number. */
const MOST_NEWS = 100

/** Counts the unread notifications of a person, for the header of every page. */
export function countNews(db: Db, userId: number, readable: Readable): number {
  const may = readableOneByOne(readable)
  const sql = `SELECT count(*) AS n FROM (SELECT 1 FROM notification AS i WHERE i.user_id = ? AND i.status = 'unread'
    AND (i.issue_id IS NULL OR EXISTS (SELECT 1 FROM issue WHERE issue.id = i.issue_id)) AND ${may.sql} LIMIT ?)`
  return db.lookUp<{ n: number }>(sql, userId, ...may.values, MOST_NEWS)?.n ?? 0
}
