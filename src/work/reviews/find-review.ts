import { isSelf, isSiteAdmin, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type Asked, getPull, type IssueRow } from '#work/issues/index.ts'
import { findLineComment, type LineComment } from './comment-store.ts'
import { findReview, type ReviewRow } from './store.ts'

/** A review, and what it is about. */
export interface Reviewed {
  issue: IssueRow
  review: ReviewRow
}

type AskedReview = Asked & { params: { index: string; id: string } }

/** The review that a path names. @throws NotFound for one of another pull request, and one that somebody else has not sent yet */
export function getReview(context: Pick<Context, 'db'>, asked: AskedReview): Reviewed {
  const issue = getPull(context, asked)
  return { issue, review: reviewOf(context.db, asked.viewer, issue, rowIdIn(asked.params.id)) }
}

/** @throws NotFound */
export function reviewOf(db: Db, viewer: Viewer, issue: Pick<IssueRow, 'id'>, id: number): ReviewRow {
  const review = findReview(db, id)
  if (review?.issue_id !== issue.id || !maySee(viewer, review)) throw new NotFound()
  return review
}

/** What is not sent is its reviewer's own, and the site's administrators'. */
export function maySee(viewer: Viewer, review: Pick<ReviewRow, 'state' | 'reviewer_id'>): boolean {
  return review.state !== 'PENDING' || isSiteAdmin(viewer) || (review.reviewer_id !== null && isSelf(viewer, { id: review.reviewer_id }))
}

/** A comment of the review that a path names. @throws NotFound */
export function getReviewComment(context: Pick<Context, 'db'>, asked: AskedReview & { params: { comment: string } }): Reviewed & { comment: LineComment } {
  const reviewed = getReview(context, asked)
  const comment = findLineComment(context.db, rowIdIn(asked.params.comment))
  if (comment?.review_id !== reviewed.review.id) throw new NotFound()
  return { ...reviewed, comment }
}
