import type { Db } from '#kernel/db.ts'
import type { ReviewRow } from './store.ts'

/** Reviews and requests that count, of one kind. */
export function listOfficial(db: Db, issueId: number, state: 'APPROVED' | 'REQUEST_CHANGES' | 'REQUEST_REVIEW'): ReviewRow[] {
  return db.all<ReviewRow>('SELECT * FROM review WHERE issue_id = ? AND state = ? AND is_official = 1 AND is_dismissed = 0 ORDER BY id', issueId, state)
}
