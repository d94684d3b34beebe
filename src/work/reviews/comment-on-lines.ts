import { type RepoAccess, refuseArchived, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { BadRequest, Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { announceComment, change, type Deed, findEntry, findIssueById, type IssueRow, linkFrom, mayRead, noteMentions } from '#work/issues/index.ts'
import { findLineComment, type LineComment, setResolver } from './comment-store.ts'
import { getPullEnds } from './create-review.ts'
import { deedNow } from './deed.ts'
import { maySee, type Reviewed, reviewOf } from './find-review.ts'
import { unsettle } from './pull-ends-store.ts'
import { mayResolve, refuseWriting } from './rules.ts'
import type { CreatePullReviewComment } from './schema.ts'
import { findReview, type ReviewRow } from './store.ts'
import { type Draft, draftComments, insertComment, requireRoom } from './write-comments.ts'

/**
 * Adds a comment to a review that is there, about the head that it is about: none is made for it. In one that is not sent it is not sent either.
 * @throws Unprocessable where a review was only asked for; Forbidden as for other comments
 */
export async function addToReview(
  context: Context,
  viewer: Viewer,
  { issue: seen, review: begun }: Reviewed,
  asked: CreatePullReviewComment,
): Promise<LineComment> {
  requireUser(viewer)
  const ends = getPullEnds(context.db, seen)
  const [draft] = await draftComments(context, ends, begun.commit_oid || ends.head_oid, [asked])
  return context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    refuseWriting(tx, deed, issue)
    const review = reviewOf(tx, viewer, issue, begun.id)
    if (review.state === 'REQUEST_REVIEW') throw new Unprocessable('cannot comment on a review request: submit a review instead')
    if (review.state === 'PENDING' && review.reviewer_id !== deed.doer.id) throw new NotFound()
    unsettle(tx, issue.id)
    return write(tx, deed, issue, review, draft as Draft)
  })
}

/** Answers a comment where it stands, in its review. @throws NotFound for one of another pull request; BadRequest for one that is not on a line */
export function replyTo(context: Context, viewer: Viewer, seen: IssueRow, id: string, body: string): LineComment {
  requireUser(viewer)
  return context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    const { comment, review } = getLineComment(tx, viewer, { repoId: issue.repo_id, issueId: issue.id }, id)
    refuseWriting(tx, deed, issue)
    const { path, line, at_oid, original_oid, hunk, is_outdated } = comment
    return write(tx, deed, issue, review, { body, path, line, at_oid, original_oid, hunk, is_outdated })
  })
}

function write(tx: Tx, deed: Deed, issue: IssueRow, review: ReviewRow, draft: Draft): LineComment {
  requireRoom(review, 1)
  const id = insertComment(tx, deed, issue, review, draft)
  if (review.state === 'PENDING') return findLineComment(tx, id) as LineComment
  const now = change(tx, deed, issue)
  linkFrom(tx, deed, now, { text: draft.body, commentId: id })
  announceComment(tx, deed, now, 'created', { commentId: id, body: draft.body, mentioned: noteMentions(tx, deed, now, draft.body) })
  return findLineComment(tx, id) as LineComment
}

/**
 * Says that the conversation at a comment's place is over, or that it is not.
 * @throws NotFound; BadRequest for a comment that is not on a line; Locked in an archived repository; Forbidden for others than the author, writers
 * and whose reviews count
 */
export function setResolved(context: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, id: string, isResolved: boolean): void {
  const { user: doer } = requireUser(viewer)
  context.db.tx((tx) => {
    const { comment } = getLineComment(tx, viewer, { repoId: repo.row.id }, id)
    const issue = findIssueById(tx, comment.issue_id)
    if (!issue || !mayRead(repo, issue)) throw new NotFound()
    refuseArchived(repo)
    if (!mayResolve(tx, viewer, repo, issue)) throw new Forbidden('You do not have permission to resolve or unresolve this conversation.')
    if ((comment.resolver_id !== null) !== isResolved) setResolver(tx, comment, isResolved ? doer.id : null)
  })
}

/** What else was done has ended the conversation at a comment's place, if who did it may say so. */
export function endTalk(tx: Tx, viewer: Viewer, repo: RepoAccess, issue: IssueRow, comment: LineComment): void {
  const { user } = requireUser(viewer)
  if (comment.resolver_id === null && mayResolve(tx, viewer, repo, issue)) setResolver(tx, comment, user.id)
}

function getLineComment(
  tx: Tx,
  viewer: Viewer,
  { repoId, issueId }: { repoId: number; issueId?: number },
  id: string,
): { comment: LineComment; review: ReviewRow } {
  const entry = findEntry(tx, repoId, rowIdIn(id))
  if (!entry || (issueId !== undefined && entry.issue_id !== issueId)) throw new NotFound()
  const comment = findLineComment(tx, entry.id)
  if (!comment) throw new BadRequest('comment is not a review comment')
  const review = comment.review_id === null ? undefined : findReview(tx, comment.review_id)
  if (!review || !maySee(viewer, review)) throw new NotFound()
  return { comment, review }
}
