import type { Oid } from '#git/objects/oid.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** The ends of a pull request's changes, and those for which its reviews were last looked at. */
export interface PullEnds {
  issue_id: number
  repo_id: number
  base_branch: string
  /** Null when the branch is gone. Of a merged one: what it was merged into. */
  base_oid: Oid | null
  head_oid: Oid
  is_closed: number
  settled_base: Oid | null
  settled_head: Oid | null
}

/** @param issueId of the pull request */
export function endsQuestion(issueId: number): Question<PullEnds> {
  const sql = `SELECT pull.issue_id, pull.repo_id, pull.base_branch, coalesce(pull.merge_base, ref.oid) AS base_oid, pull.head_oid, issue.is_closed,
      s.base_oid AS settled_base, s.head_oid AS settled_head
    FROM named_pull AS pull JOIN issue ON issue.id = pull.issue_id
    LEFT JOIN ref ON ref.repo_id = pull.repo_id AND ref.name = 'refs/heads/' || pull.base_branch
    LEFT JOIN review_standing AS s ON s.issue_id = pull.issue_id
    WHERE pull.issue_id = ?`
  return { sql, values: [issueId] }
}

export function findPullEnds(db: Db, issueId: number): PullEnds | undefined {
  const { sql, values } = endsQuestion(issueId)
  return db.find<PullEnds>(sql, ...values)
}

/** Whether what reviews say of the changes is true as they are now. What is closed stays as it was. */
export function isSettled({ is_closed, base_oid, head_oid, settled_base, settled_head }: PullEnds): boolean {
  return is_closed === 1 || base_oid === null || (base_oid === settled_base && head_oid === settled_head)
}

export function setSettled(tx: Tx, { issue_id, base_oid, head_oid }: PullEnds): void {
  tx.run('INSERT OR REPLACE INTO review_standing (issue_id, base_oid, head_oid) VALUES (?, ?, ?)', issue_id, base_oid, head_oid)
}

export function unsettle(tx: Tx, issueId: number): void {
  tx.run('DELETE FROM review_standing WHERE issue_id = ?', issueId)
}

/** Whether the owners of what a pull request changes were asked for reviews, since it was ready for that. */
export function wereOwnersAsked(db: Db, issueId: number): boolean {
  return db.find('SELECT 1 FROM pull WHERE issue_id = ? AND owners_asked = 1', issueId) !== undefined
}

export function setOwnersAsked(tx: Tx, issueId: number): void {
  tx.run('UPDATE pull SET owners_asked = 1 WHERE issue_id = ?', issueId)
}

/** Who moved the branches of a pull request last. */
export function findMover(db: Db, issueId: number): number | undefined {
  const sql = "SELECT poster_id FROM live_comment WHERE issue_id = ? AND type IN ('pull_push', 'change_target_branch') ORDER BY id DESC LIMIT 1"
  return db.find<{ poster_id: number | null }>(sql, issueId)?.poster_id ?? undefined
}

/** The id of the last event that was looked at. */
export function getPlace(db: Db): number {
  return db.find<{ event_id: number }>('SELECT event_id FROM review_place')?.event_id ?? 0
}

export function setPlace(tx: Tx, eventId: number): void {
  tx.run('UPDATE review_place SET event_id = ?', eventId)
}
