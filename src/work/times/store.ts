import type { Condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface TimeRow {
  id: number
  issue_id: number
  user_id: number
  seconds: number
  created_at: number
}

export interface StopwatchRow {
  user_id: number
  issue_id: number
  started_at: number
}

/** Whatever narrows times down: when they were tracked, in Unix seconds, both ends belonging to it. */
export interface TimeFilter {
  issueId?: number
  /** Of a repository: which kinds of issues may be read. */
  repo?: { id: number; issues: boolean; pulls: boolean }
  /** Conditions on `repository AS r`, for either kind. */
  readable?: { issues: Condition; pulls: Condition }
  userId?: number
  since?: number
  before?: number
}

/** Those of one page, oldest first, and how many there are on all pages. @param line whose share of the thread's time it takes */
export async function listTimes(db: LongDb, line: string, filter: TimeFilter, page: Page): Promise<{ rows: TimeRow[]; total: number }> {
  const { sql, values } = where(filter)
  const from = `FROM standing_time AS t JOIN issue AS i ON i.id = t.issue_id WHERE ${sql}`
  const inOrder = `SELECT t.* ${from} ORDER BY t.created_at, t.id LIMIT ? OFFSET ?`
  const { rows, counted } = await db.askAside(
    { rows: question<TimeRow>(inOrder, ...values, page.limit, page.offset), counted: question<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values) },
    line,
  )
  return { rows, total: counted[0]?.n ?? 0 }
}

function where({ issueId, repo, readable, userId, since, before }: TimeFilter): Condition {
  const parts: string[] = ['TRUE']
  const values: Value[] = []
  const add = (sql: string, ...more: Value[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (issueId !== undefined) add('t.issue_id = ?', issueId)
  if (repo) add('i.repo_id = ? AND (i.is_pull = 0 AND ? OR i.is_pull = 1 AND ?)', repo.id, Number(repo.issues), Number(repo.pulls))
  if (readable) {
    const found = (sql: string) => `i.repo_id IN (SELECT r.id FROM repository AS r WHERE ${sql})`
    add(
      `(i.is_pull = 0 AND ${found(readable.issues.sql)} OR i.is_pull = 1 AND ${found(readable.pulls.sql)})`,
      ...readable.issues.values,
      ...readable.pulls.values,
    )
  }
  if (userId !== undefined) add('t.user_id = ?', userId)
  if (since !== undefined) add('t.created_at >= ?', since)
  if (before !== undefined) add('t.created_at <= ?', before)
  return { sql: parts.join(' AND '), values }
}

export function findTime(db: Db, issueId: number, id: number): TimeRow | undefined {
  return db.find<TimeRow>('SELECT * FROM standing_time WHERE id = ? AND issue_id = ?', id, issueId)
}

export function listTimesById(db: Db, ids: readonly number[]): TimeRow[] {
  return ids.length === 0 ? [] : db.all<TimeRow>('SELECT * FROM standing_time WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

/** @returns its id */
export function insertTime(tx: Tx, row: Omit<TimeRow, 'id'>): number {
  return tx.insert('tracked_time', { ...row })
}

export function deleteTime(tx: Tx, id: number): void {
  tx.run('DELETE FROM tracked_time WHERE id = ?', id)
}

export function findStopwatch(db: Db, userId: number): StopwatchRow | undefined {
  return db.find<StopwatchRow>('SELECT * FROM stopwatch WHERE user_id = ?', userId)
}

export function insertStopwatch(tx: Tx, row: StopwatchRow): void {
  tx.insert('stopwatch', { ...row })
}

export function deleteStopwatch(tx: Tx, userId: number): void {
  tx.run('DELETE FROM stopwatch WHERE user_id = ?', userId)
}

/** So many people are shown beside an issue. */
const MOST_PEOPLE = 50

/** How long people have worked on an issue, who most first. */
export function spentQuestion(issueId: number): Question<{ name: string; seconds: number }> {
  const most = `SELECT user_id, sum(seconds) AS seconds FROM standing_time WHERE issue_id = ?
    GROUP BY user_id ORDER BY sum(seconds) DESC, user_id LIMIT ${MOST_PEOPLE}`
  const sql = `SELECT user.name AS name, seconds FROM (${most}) CROSS JOIN user ON user.id = user_id ORDER BY seconds DESC, user_id`
  return { sql, values: [issueId] }
}

/** The watch of somebody, if it runs for this issue. */
export function watchQuestion(issueId: number, userId: number): Question<{ started_at: number }> {
  return { sql: 'SELECT started_at FROM stopwatch WHERE user_id = ? AND issue_id = ?', values: [userId, issueId] }
}
