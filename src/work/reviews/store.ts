import type { Oid } from '#git/objects/oid.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export const reviewStates = ['APPROVED', 'PENDING', 'COMMENT', 'REQUEST_CHANGES', 'REQUEST_REVIEW'] as const
export type ReviewState = (typeof reviewStates)[number]

/** Which changes a verdict is about; texts are empty where that is not known. */
export interface ReviewedChanges {
  /** What they are counted from. */
  diff_base: string
  /** The tree that they come to. */
  diff_tree: string
  /** A digest of their diff, wherever its lines stand. */
  diff_key: string
}

export interface ReviewRow extends ReviewedChanges {
  id: number
  issue_id: number
  state: ReviewState
  reviewer_id: number | null
  team_id: number | null
  body: string
  is_official: number
  is_stale: number
  is_dismissed: number
  commit_oid: Oid | ''
  comment_count: number
  created_at: number
  updated_at: number
}

/** Requests go with the team that they are for, some of them a moment later. */
const STANDS = '(team_id IS NULL OR team_id IN (SELECT id FROM team))'

export function findReview(db: Db, id: number): ReviewRow | undefined {
  return db.find<ReviewRow>(`SELECT * FROM review WHERE id = ? AND ${STANDS}`, id)
}

/** A page of them, oldest first, and how many there are. @param line who asks: see `LongDb` */
export function listReviews(db: LongDb, line: string, issueId: number, page: Page): Promise<{ rows: ReviewRow[]; total: number }> {
  return pageAside(db, line, { columns: '*', from: `FROM review WHERE issue_id = ? AND ${STANDS}`, order: 'created_at, id', values: [issueId] }, page)
}

/** The first ones of them. */
export function reviewsQuestion(issueId: number, { limit, offset }: Pick<Page, 'limit' | 'offset'>): Question<ReviewRow> {
  return { sql: `SELECT * FROM review WHERE issue_id = ? AND ${STANDS} ORDER BY created_at, id LIMIT ? OFFSET ?`, values: [issueId, limit, offset] }
}

/** What somebody has begun and not sent. */
export function findPending(db: Db, issueId: number, reviewerId: number): ReviewRow | undefined {
  return db.find<ReviewRow>("SELECT * FROM review WHERE reviewer_id = ? AND state = 'PENDING' AND issue_id = ? ORDER BY id LIMIT 1", reviewerId, issueId)
}

const VERDICTS = "('APPROVED', 'REQUEST_CHANGES')"

/** The last verdict of somebody, or the request for one, that is not dismissed. */
export function findLast(db: Db, issueId: number, reviewerId: number): ReviewRow | undefined {
  const sql = `SELECT * FROM review WHERE reviewer_id = ? AND issue_id = ? AND is_dismissed = 0
    AND state IN ('APPROVED', 'REQUEST_CHANGES', 'REQUEST_REVIEW') ORDER BY id DESC LIMIT 1`
  return db.find<ReviewRow>(sql, reviewerId, issueId)
}

export function findTeamRequest(db: Db, issueId: number, teamId: number): ReviewRow | undefined {
  return db.find<ReviewRow>('SELECT * FROM review WHERE team_id = ? AND issue_id = ?', teamId, issueId)
}

/** Reviews and requests that count, of one kind. */
export function listOfficial(db: Db, issueId: number, state: 'APPROVED' | 'REQUEST_CHANGES' | 'REQUEST_REVIEW'): ReviewRow[] {
  const sql = `SELECT * FROM review WHERE issue_id = ? AND state = ? AND is_official = 1 AND is_dismissed = 0 AND ${STANDS} ORDER BY id`
  return db.all<ReviewRow>(sql, issueId, state)
}

export type Verdict = Pick<ReviewRow, 'id' | 'is_stale' | 'commit_oid' | keyof ReviewedChanges>

/** Verdicts of a pull request, dismissed ones too, in the order of their ids: the first ones with ids over `after`. */
export function listVerdicts(db: Db, issueId: number, after: number, limit: number): Verdict[] {
  const sql = `SELECT id, is_stale, commit_oid, diff_base, diff_tree, diff_key FROM review
    WHERE issue_id = ? AND state IN ${VERDICTS} AND id > ? ORDER BY id LIMIT ?`
  return db.all<Verdict>(sql, issueId, after, limit)
}

/** Of each pull request so many of its reviews are looked at, and so many of its requests. */
export const MOST_REVIEWERS = 100

/**
 * Who is asked for a review or has given one, of several pull requests: people and teams, each once, first things first. Of very many these are who
 * was asked first, and who reviewed last.
 */
export function listReviewers(db: Db, issueIds: readonly number[]): { issue_id: number; reviewer_id: number | null; team_id: number | null }[] {
  const sql = `WITH given (pull) AS (SELECT value FROM json_each(?1))
    SELECT issue_id, reviewer_id, team_id FROM given CROSS JOIN review
    ON review.id IN (SELECT id FROM (SELECT id FROM review WHERE issue_id = given.pull ORDER BY created_at DESC, id DESC LIMIT ?2)
      UNION ALL SELECT id FROM (SELECT id FROM review WHERE issue_id = given.pull AND state = 'REQUEST_REVIEW' ORDER BY id LIMIT ?2))
    WHERE state <> 'PENDING' AND is_dismissed = 0 AND (reviewer_id IS NOT NULL OR team_id IN (SELECT id FROM team))
    GROUP BY issue_id, reviewer_id, team_id ORDER BY min(id)`
  return db.all(sql, JSON.stringify(issueIds), MOST_REVIEWERS)
}

export type NewReview = Pick<ReviewRow, 'issue_id' | 'state' | 'created_at'> & Partial<ReviewRow>

/** @returns its id */
export function insertReview(tx: Tx, row: NewReview): number {
  return tx.insert('review', { updated_at: row.created_at, ...row } as Row)
}

export function updateReview(tx: Tx, id: number, change: Partial<ReviewRow>): void {
  tx.update('review', id, change as Row)
}

export function deleteReview(tx: Tx, id: number): void {
  tx.run('DELETE FROM review WHERE id = ?', id)
}

/** What somebody said before no longer counts. */
export function endOfficial(tx: Tx, issueId: number, reviewerId: number): void {
  tx.run('UPDATE review SET is_official = 0 WHERE reviewer_id = ? AND issue_id = ? AND is_official = 1', reviewerId, issueId)
}

export function dismissVerdicts(tx: Tx, issueId: number, reviewerId: number): void {
  tx.run(`UPDATE review SET is_dismissed = 1 WHERE reviewer_id = ? AND issue_id = ? AND state IN ${VERDICTS} AND is_dismissed = 0`, reviewerId, issueId)
}

/** The same of all but one of them. */
export function dismissPriors(tx: Tx, issueId: number, reviewerId: number, exceptId: number): void {
  tx.run(
    `UPDATE review SET is_dismissed = 1 WHERE reviewer_id = ? AND issue_id = ? AND state IN ${VERDICTS} AND is_dismissed = 0 AND id <> ?`,
    reviewerId,
    issueId,
    exceptId,
  )
}

/** Who has answered is asked no more. */
export function deleteRequests(tx: Tx, issueId: number, reviewerId: number): void {
  tx.run("DELETE FROM review WHERE reviewer_id = ? AND issue_id = ? AND state = 'REQUEST_REVIEW'", reviewerId, issueId)
}

/** Nor is a team, once one of it has. */
export function deleteTeamRequests(tx: Tx, issueId: number, memberId: number): void {
  tx.run('DELETE FROM review WHERE issue_id = ? AND team_id IN (SELECT team_id FROM team_member WHERE user_id = ?)', issueId, memberId)
}

/** The last verdict of somebody counts again. */
export function restoreOfficial(tx: Tx, issueId: number, reviewerId: number): void {
  const last = `SELECT max(id) FROM review WHERE reviewer_id = ? AND issue_id = ? AND state IN ${VERDICTS}`
  tx.run(`UPDATE review SET is_official = 1 WHERE id = (${last})`, reviewerId, issueId)
}
