import { type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
import { addEntry, change, type Deed, findIssueById, type IssueRow, isRepoAdmin } from '#work/issues/index.ts'
import { announceReview } from './announce.ts'
import { type Reviewed, reviewOf } from './find-review.ts'
import type { DismissPullReviewOptions } from './schema.ts'
import { dismissPriors, type ReviewRow, updateReview } from './store.ts'

/**
 * Takes a verdict out of what counts, or back in. @param asked with `priors`, all that its reviewer has said before, too
 * @throws Forbidden for others than who administers the repository, for what is no verdict, and on a closed pull request
 */
export function setDismissed(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  { issue: seen, review }: Reviewed,
  isDismissed: boolean,
  asked: DismissPullReviewOptions,
): ReviewRow {
  const { user: doer } = requireUser(viewer)
  if (!isRepoAdmin(repo)) throw new Forbidden('Must be repo admin')
  return context.db.tx((tx) => {
    const issue = findIssueById(tx, seen.id)
    const now = reviewOf(tx, viewer, seen, review.id)
    if (now.state !== 'APPROVED' && now.state !== 'REQUEST_CHANGES') {
      throw new Forbidden("not need to dismiss this review because it's type is not Approve or change request")
    }
    if (!issue || issue.is_closed === 1) throw new Forbidden('not need to dismiss this review because this pr is closed')
    const deed: Deed = { context, doer, repo, at: context.clock.seconds() }
    if (asked.priors && isDismissed && now.reviewer_id !== null) dismissPriors(tx, issue.id, now.reviewer_id, now.id)
    if (isDismissed) dismiss(tx, deed, issue, now, asked.message ?? '')
    else if (now.is_dismissed === 1) {
      updateReview(tx, now.id, { is_dismissed: 0 })
      announceReview(tx, deed, issue, now, 'undismissed')
    }
    return reviewOf(tx, viewer, issue, review.id)
  })
}

/** Once more changes nothing. */
export function dismiss(tx: Tx, deed: Deed, issue: IssueRow, review: ReviewRow, message: string): void {
  if (review.is_dismissed === 1) return
  updateReview(tx, review.id, { is_dismissed: 1 })
  const entryId = addEntry(tx, deed, issue, 'dismiss_review', { body: message, review_id: review.id })
  announceReview(tx, deed, change(tx, deed, issue), review, 'dismissed', { body: message, entryId })
}
