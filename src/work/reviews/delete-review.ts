import { isSelf, isSiteAdmin, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Forbidden } from '#kernel/errors.ts'
import { accessTo, change, type Deed } from '#work/issues/index.ts'
import { announceReview } from './announce.ts'
import { type Reviewed, reviewOf } from './find-review.ts'
import { deleteReview } from './store.ts'

/** Takes its comments along. @throws Forbidden for others than its reviewer and the site's administrators */
export function removeReview(context: Context, viewer: Viewer, { issue, review: seen }: Reviewed): void {
  const { user: doer } = requireUser(viewer)
  context.db.tx((tx) => {
    const review = reviewOf(tx, viewer, issue, seen.id)
    const isOwn = review.reviewer_id !== null && isSelf(viewer, { id: review.reviewer_id })
    if (!isOwn && !isSiteAdmin(viewer)) throw new Forbidden('You can only delete your own reviews.')
    deleteReview(tx, review.id)
    const repo = accessTo(tx, viewer, issue.repo_id)
    if (!repo || review.state === 'PENDING') return
    const deed: Deed = { context, doer, repo, at: context.clock.seconds() }
    announceReview(tx, deed, change(tx, deed, issue), review, 'deleted')
  })
}
