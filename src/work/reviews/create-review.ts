import { type RepoAccess, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { type IssueRow, isPoster } from '#work/issues/index.ts'
import { changesOf } from './changes.ts'
import { deedNow } from './deed.ts'
import { type Reviewed, reviewOf } from './find-review.ts'
import { findPullEnds, type PullEnds, unsettle } from './pull-ends-store.ts'
import { refuseWriting } from './rules.ts'
import type { CreatePullReviewOptions, SubmitPullReviewOptions } from './schema.ts'
import { sendReview } from './send-review.ts'
import { settleReviews } from './settle.ts'
import { findPending, findReview, insertReview, type ReviewedChanges, type ReviewRow, type ReviewState, updateReview } from './store.ts'
import { draftComments, inGit, insertComment, requireRoom } from './write-comments.ts'

/**
 * Reviews a pull request; what its reviewer has begun before and not sent is part of it.
 * @throws Unprocessable for a verdict on what is one's own or closed, for one without the words that it needs, and for a commit that is not
 * there; Forbidden where the conversation is locked, and for whom the owner or the author blocked
 */
export function createReview(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, asked: CreatePullReviewOptions): Promise<ReviewRow> {
  requireUser(viewer)
  requireWords(viewer, seen, stateOf(asked.event), asked.body ?? '', (asked.comments ?? []).length > 0)
  return write(context, viewer, repo, seen, asked)
}

/** Keeps comments on lines for a review that its reviewer has not sent yet, which begins with the first. @throws as `createReview` */
export function keepForReview(
  context: Context,
  viewer: Viewer,
  repo: RepoAccess,
  seen: IssueRow,
  asked: Pick<CreatePullReviewOptions, 'comments' | 'commit_id'>,
): Promise<ReviewRow> {
  return write(context, viewer, repo, seen, asked)
}

async function write(context: Context, viewer: Viewer, repo: RepoAccess, seen: IssueRow, asked: CreatePullReviewOptions): Promise<ReviewRow> {
  requireUser(viewer)
  const [state, body, comments] = [stateOf(asked.event), asked.body ?? '', asked.comments ?? []]
  const ends = getPullEnds(context.db, seen)
  const commit = commitOf(context, repo, ends, asked.commit_id)
  const drafts = await draftComments(context, ends, commit, comments)
  const changes = await changesIn(context, ends, state, commit)
  const id = context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    refuseWriting(tx, deed, issue)
    requireOpen(issue, state)
    const review = findPending(tx, issue.id, deed.doer.id) ?? begin()
    requireRoom(review, drafts.length)
    for (const draft of drafts) insertComment(tx, deed, issue, review, draft)
    unsettle(tx, issue.id)
    const words = asked.body === undefined ? {} : { body }
    if (state === 'PENDING') updateReview(tx, review.id, { ...words, commit_oid: commit, updated_at: deed.at })
    else sendReview(tx, deed, issue, review, { state, body, commit_oid: commit, ...changes })
    return review.id

    function begin(): ReviewRow {
      const row = { issue_id: issue.id, state: 'PENDING', reviewer_id: deed.doer.id, commit_oid: commit, created_at: deed.at } as const
      return findReview(tx, insertReview(tx, row)) as ReviewRow
    }
  })
  await settleReviews(context, seen.id)
  return reviewOf(context.db, viewer, seen, id)
}

/**
 * Sends a review that was begun: about the changes as they are now, as in Gitea.
 * @throws as `createReview`; Unprocessable for one that was sent already, or would stay pending; Forbidden for others than its reviewer
 */
export async function submitReview(
  context: Context,
  viewer: Viewer,
  { issue: seen, review: begun }: Reviewed,
  asked: SubmitPullReviewOptions,
): Promise<ReviewRow> {
  const { user } = requireUser(viewer)
  const [state, body] = [stateOf(asked.event), asked.body ?? '']
  requirePending(begun)
  if (begun.reviewer_id !== user.id) throw new Forbidden('You can only submit your own reviews.')
  requireWords(viewer, seen, state, body, begun.comment_count > 0)
  if (state === 'PENDING') throw new Unprocessable('review stay pending')
  const ends = getPullEnds(context.db, seen)
  const changes = await changesIn(context, ends, state, ends.head_oid)
  context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    refuseWriting(tx, deed, issue)
    requireOpen(issue, state)
    const review = requirePending(reviewOf(tx, viewer, issue, begun.id))
    unsettle(tx, issue.id)
    sendReview(tx, deed, issue, review, { state, body, commit_oid: ends.head_oid, ...changes })
  })
  await settleReviews(context, seen.id)
  return reviewOf(context.db, viewer, seen, begun.id)
}

function stateOf(event: string | undefined): Exclude<ReviewState, 'REQUEST_REVIEW'> {
  return event === 'APPROVED' || event === 'REQUEST_CHANGES' || event === 'COMMENT' ? event : 'PENDING'
}

function requireWords(viewer: Viewer, issue: IssueRow, state: ReviewState, body: string, hasComments: boolean): void {
  if (state === 'APPROVED' && isPoster(viewer, issue)) throw new Unprocessable('approve your own pull is not allowed')
  if (state === 'REQUEST_CHANGES' && isPoster(viewer, issue)) throw new Unprocessable('reject your own pull is not allowed')
  if (state === 'APPROVED' || body.trim() !== '') return
  if (state !== 'COMMENT') throw new Unprocessable(`review event ${state} requires a body`)
  if (!hasComments) throw new Unprocessable(`review event ${state} requires a body or a comment`)
}

function requireOpen(issue: IssueRow, state: ReviewState): void {
  const isVerdict = state === 'APPROVED' || state === 'REQUEST_CHANGES'
  if (isVerdict && issue.is_closed === 1) throw new Unprocessable("can't submit review for a closed or merged PR")
}

function requirePending(review: ReviewRow): ReviewRow {
  if (review.state !== 'PENDING') throw new Unprocessable('only a pending review can be submitted')
  return review
}

/** @throws NotFound when the pull request is gone */
export function getPullEnds(db: Db, issue: Pick<IssueRow, 'id'>): PullEnds {
  const ends = findPullEnds(db, issue.id)
  if (!ends) throw new NotFound()
  return ends
}

function commitOf(context: Pick<Context, 'git'>, { row }: RepoAccess, { head_oid }: PullEnds, asked = ''): Oid {
  if (asked === '' || asked === head_oid) return head_oid
  if (!isOid(asked) || context.git.storeOf(row.id).findHeader(asked)?.type !== 'commit')
    throw new Unprocessable('[commit_id]: expected a commit of the repository')
  return asked
}

/**
 * Which changes a verdict is about; of what is no verdict nothing need be known. Whether they are those that there are now is looked at once it
 * is there (`settleReviews`): until then no rule that cares for that lets anything be merged.
 */
async function changesIn(
  context: Pick<Context, 'config' | 'git' | 'services'>,
  { repo_id, base_oid }: PullEnds,
  state: ReviewState,
  commit: Oid,
): Promise<ReviewedChanges> {
  const isVerdict = state === 'APPROVED' || state === 'REQUEST_CHANGES'
  if (!isVerdict || base_oid === null) return { diff_base: '', diff_tree: '', diff_key: '' }
  return inGit(() => changesOf(context, repo_id, base_oid, commit))
}
