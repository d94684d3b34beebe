import type { Oid } from '#git/objects/oid.ts'
import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { CommentRow } from '#work/issues/index.ts'

/** Where a comment stands in the changes. */
export interface PlaceRow {
  comment_id: number
  issue_id: number
  path: string
  /** From 1 on; below zero: a line of what was before; 0: the file as a whole. */
  line: number
  /** The commit in which the file has that line. */
  at_oid: Oid
  original_oid: Oid
  hunk: string
  is_outdated: number
  resolver_id: number | null
}

/** A comment on a line. */
export type LineComment = CommentRow & Omit<PlaceRow, 'comment_id'>

type Stretch = Pick<Page, 'limit' | 'offset'>

/** By a viewer: all that was sent, and their own drafts. */
const seen = "(c.type = 'code' OR c.type = 'code_draft' AND c.poster_id = ?)"
const joined =
  'SELECT c.*, p.path, p.line, p.at_oid, p.original_oid, p.hunk, p.is_outdated, p.resolver_id FROM live_comment AS c JOIN review_comment AS p ON p.comment_id = c.id'

export function findLineComment(db: Db, id: number): LineComment | undefined {
  return db.find<LineComment>(`${joined} WHERE c.id = ?`, id)
}

/** Those of a review, oldest first. */
export function listLineComments(db: Db, reviewId: number): LineComment[] {
  return db.all<LineComment>(`${joined} WHERE c.review_id = ? ORDER BY c.id`, reviewId)
}

/** Those of a pull request that somebody may see, oldest first: of what is not sent yet their own. */
export function listPlaced(db: Db, issueId: number, viewerId: number, { limit, offset }: Stretch): LineComment[] {
  const sql = `${joined} WHERE p.issue_id = ? AND ${seen} ORDER BY c.id LIMIT ? OFFSET ?`
  return db.all<LineComment>(sql, issueId, viewerId, limit, offset)
}

/** The same in one conversation. @param first any of its comments */
export function listTalk(db: Db, { issue_id, review_id, path, line }: LineComment, viewerId: number, { limit, offset }: Stretch): LineComment[] {
  const sql = `${joined} WHERE c.review_id = ? AND p.issue_id = ? AND p.path = ? AND p.line = ? AND ${seen} ORDER BY c.id LIMIT ? OFFSET ?`
  return db.all<LineComment>(sql, review_id, issue_id, path, line, viewerId, limit, offset)
}

/** Those that reviews said, once they were sent, oldest first. */
export function listSaidIn(db: Db, reviewIds: readonly number[], limit: number): LineComment[] {
  const sql = `${joined} WHERE c.review_id IN (SELECT value FROM json_each(?)) AND c.type = 'code' ORDER BY c.id LIMIT ?`
  return db.all<LineComment>(sql, JSON.stringify(reviewIds), limit)
}

export function insertPlace(tx: Tx, row: Omit<PlaceRow, 'resolver_id'>): void {
  tx.insert('review_comment', { ...row })
}

/** What was written for a review is there for all once it is sent. */
export function sendDrafts(tx: Tx, reviewId: number): void {
  tx.run("UPDATE comment SET type = 'code' WHERE review_id = ? AND type = 'code_draft'", reviewId)
}

/** The conversation at one place: what the comments of a review at one line are. Deleted comments belong to it when they are restored. */
export function setResolver(tx: Tx, { review_id, path, line }: LineComment, resolverId: number | null): void {
  const sql = `UPDATE review_comment SET resolver_id = ? WHERE path = ? AND line = ?
    AND comment_id IN (SELECT id FROM comment AS any_comment WHERE review_id = ? AND type IN ('code', 'code_draft'))`
  tx.run(sql, resolverId, path, line, review_id)
}

/** The timeline's entries of reviews, by review. */
export function listReviewEntries(db: Db, reviewIds: readonly number[]): { id: number; review_id: number }[] {
  return db.all("SELECT id, review_id FROM live_comment WHERE review_id IN (SELECT value FROM json_each(?)) AND type = 'review'", JSON.stringify(reviewIds))
}

export type CurrentPlace = Pick<PlaceRow, 'path' | 'line' | 'at_oid'> & { id: number }

/** Where comments stand that are still to be followed: the first ones with ids over `after`. */
export function listCurrent(db: Db, issueId: number, after: number, limit: number): CurrentPlace[] {
  const sql = `SELECT comment_id AS id, path, line, at_oid FROM review_comment
    WHERE issue_id = ? AND is_outdated = 0 AND comment_id > ? ORDER BY comment_id LIMIT ?`
  return db.all<CurrentPlace>(sql, issueId, after, limit)
}

export function movePlace(tx: Tx, commentId: number, change: Partial<PlaceRow>): void {
  const names = Object.keys(change) as (keyof PlaceRow)[]
  tx.run(
    `UPDATE review_comment SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE comment_id = ?`,
    ...names.map((name) => change[name] ?? null),
    commentId,
  )
}
