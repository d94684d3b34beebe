import type { Tx } from '#kernel/db.ts'
import { addEntry, change, type Deed, type IssueRow } from '#work/issues/index.ts'
import { sendDrafts } from './comment-store.ts'
import { isOfficial } from './rules.ts'
import { deleteRequests, deleteTeamRequests, dismissVerdicts, endOfficial, type ReviewedChanges, type ReviewRow, updateReview } from './store.ts'
import { tellOfReview } from './tell-of-review.ts'

/** What a review says. */
export interface Sent extends ReviewedChanges, Pick<ReviewRow, 'body' | 'commit_oid'> {
  state: 'APPROVED' | 'REQUEST_CHANGES' | 'COMMENT'
}

/** From now on everybody sees it. Who was asked has answered; a verdict takes the place of what its reviewer has said before. */
export function sendReview(tx: Tx, deed: Deed, issue: IssueRow, { id }: ReviewRow, sent: Sent): void {
  const { doer, at } = deed
  const isVerdict = sent.state !== 'COMMENT'
  deleteRequests(tx, issue.id, doer.id)
  if (isVerdict) {
    deleteTeamRequests(tx, issue.id, doer.id)
    endOfficial(tx, issue.id, doer.id)
    dismissVerdicts(tx, issue.id, doer.id)
  }
  updateReview(tx, id, { ...sent, is_official: Number(isVerdict && isOfficial(tx, deed.repo, issue, doer.id)), created_at: at, updated_at: at })
  sendDrafts(tx, id)
  const entryId = addEntry(tx, deed, issue, 'review', { body: sent.body, review_id: id })
  tellOfReview(tx, deed, change(tx, deed, issue), id, { id: entryId, body: sent.body })
}
