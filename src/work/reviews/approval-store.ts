import type { Db } from '#kernel/db.ts'
import type { ReviewRow } from './store.ts'

/** Verdicts that count, of one kind. */
export function listOfficial(db: Db, issueId: number, state: 'APPROVED' | 'REQUEST_CHANGES'): ReviewRow[] {
  return db.all<ReviewRow>('SELECT * FROM review WHERE issue_id = ? AND state = ? AND is_official = 1 AND is_dismissed = 0 ORDER BY id', issueId, state)
}

/** Whether somebody whose review counts is still asked for one. */
export function hasOfficialRequest(db: Db, issueId: number): boolean {
  return db.find("SELECT 1 FROM review WHERE issue_id = ? AND state = 'REQUEST_REVIEW' AND is_official = 1", issueId) !== undefined
}
