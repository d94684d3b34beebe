import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface ReactionRow {
  id: number
  user_id: number
  content: string
  created_at: number
}

/** What is reacted to: an issue's text, or a comment on it. */
export interface Target {
  issueId: number
  commentId: number | null
}

const at = 'issue_id = ? AND ifnull(comment_id, 0) = ?'

/** Oldest first. */
export function listReactions(db: Db, { issueId, commentId }: Target, page?: Page): ReactionRow[] {
  const sql = `SELECT * FROM reaction WHERE ${at} ORDER BY id LIMIT ? OFFSET ?`
  return db.all<ReactionRow>(sql, issueId, commentId ?? 0, page?.limit ?? 10_000, page?.offset ?? 0)
}

/** How often a sign stands under a text, and whether one person set it. `comment_id` is null under the issue's own text. */
export interface SignCount {
  comment_id: number | null
  content: string
  count: number
  is_own: number
}

/** Of an issue and some of its comments, in the order in which signs were first set. */
export function listReactionsOfThread(db: Db, issueId: number, commentIds: readonly number[], userId: number): SignCount[] {
  const own = 'SELECT 1 FROM reaction AS r WHERE r.issue_id = c.issue_id AND ifnull(r.comment_id, 0) = c.comment_id AND r.user_id = ? AND r.content = c.content'
  const sql = `SELECT nullif(comment_id, 0) AS comment_id, content, count, EXISTS (${own}) AS is_own FROM reaction_count AS c
    WHERE issue_id = ? AND comment_id IN (SELECT value FROM json_each(?)) ORDER BY first_id`
  return db.all<SignCount>(sql, userId, issueId, JSON.stringify([0, ...commentIds]))
}

export function countReactions(db: Db, { issueId, commentId }: Target): number {
  const sql = 'SELECT coalesce(sum(count), 0) AS n FROM reaction_count WHERE issue_id = ? AND comment_id = ?'
  return db.find<{ n: number }>(sql, issueId, commentId ?? 0)?.n ?? 0
}

export function findReaction(db: Db, { issueId, commentId }: Target, userId: number, content: string): ReactionRow | undefined {
  return db.find<ReactionRow>(`SELECT * FROM reaction WHERE ${at} AND user_id = ? AND content = ?`, issueId, commentId ?? 0, userId, content)
}

/** @returns whether it is new */
export function insertReaction(tx: Tx, { issueId, commentId }: Target, userId: number, content: string, now: number): boolean {
  const sql = 'INSERT OR IGNORE INTO reaction (issue_id, comment_id, user_id, content, created_at) VALUES (?, ?, ?, ?, ?)'
  return tx.run(sql, issueId, commentId, userId, content, now) > 0
}

export function deleteReaction(tx: Tx, { issueId, commentId }: Target, userId: number, content: string): void {
  tx.run(`DELETE FROM reaction WHERE ${at} AND user_id = ? AND content = ?`, issueId, commentId ?? 0, userId, content)
}
