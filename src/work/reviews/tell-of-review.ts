import { accessStore, anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { accessTo, type Deed, findIssueById, type IssueRow, linkFrom, noteMentions } from '#work/issues/index.ts'
import { announceReview } from './announce.ts'
import { listWords } from './sent-store.ts'
import { findReview, type ReviewRow } from './store.ts'

/** Comments looked at at a time: a few milliseconds. */
const SLICE = 15

/** A submitted review and its timeline event. */
type Sent = { reviewId: number; entryId: number }

/** Progress. */
type Told = {
  /** The id of the last line comment that was processed. */
  after: number
  /** Ids of the users that the review mentions so far. */
  mentioned: readonly number[]
}

/** Continues `tellOfReview` for reviews with many comments. */
export const announceReviewJob = defineJob({
  kind: 'reviews.announce',
  title: 'Announce submitted reviews with many comments',
  step(tx, sent: Sent, told: Told | undefined, { context }: { context: Context }) {
    const found = deedOf(context, tx, sent.reviewId)
    return found ? tellSome(tx, found.deed, found.issue, sent, told) : done
  },
})

/**
 * Adds cross-references for a submitted review and records its event with the mentioned users: in this transaction, or in a job if the review
 * has many comments.
 */
export function tellOfReview(tx: Tx, deed: Deed, issue: IssueRow, reviewId: number, entry: { id: number; body: string }): void {
  const sent = { reviewId, entryId: entry.id }
  const cursor = tellSome(tx, deed, issue, sent, { after: 0, mentioned: noteWords(tx, deed, issue, [entry]) })
  if (cursor !== done) deed.context.jobs.enqueue(tx, announceReviewJob, sent, { key: reviewId, cursor })
}

/** Processes the next comments after `told`. After the last one, it records the event. */
function tellSome(tx: Tx, deed: Deed, issue: IssueRow, sent: Sent, told: Told = { after: 0, mentioned: [] }): Told | typeof done {
  const words = listWords(tx, sent.reviewId, told.after, SLICE)
  const mentioned = [...new Set([...told.mentioned, ...noteWords(tx, deed, issue, words)])]
  const last = words[SLICE - 1]
  if (last) return { after: last.id, mentioned }
  announceSent(tx, deed, issue, sent, mentioned)
  return done
}

function noteWords(tx: Tx, deed: Deed, issue: IssueRow, words: readonly { id: number; body: string }[]): number[] {
  return words.flatMap(({ id, body }) => {
    linkFrom(tx, deed, issue, { text: body, commentId: id })
    return noteMentions(tx, deed, issue, body)
  })
}

function announceSent(tx: Tx, deed: Deed, issue: IssueRow, { reviewId, entryId }: Sent, mentioned: readonly number[]): void {
  const commentIds = listWords(tx, reviewId, 0, -1).map(({ id }) => id)
  announceReview(tx, deed, issue, findReview(tx, reviewId) as ReviewRow, 'submitted', { entryId, commentIds, mentioned })
}

/** Who sent it, where; undefined once any of it is gone. */
function deedOf(context: Context, tx: Tx, reviewId: number): { deed: Deed; issue: IssueRow } | undefined {
  const review = findReview(tx, reviewId)
  const issue = review && findIssueById(tx, review.issue_id)
  const doer = review?.reviewer_id == null ? undefined : accessStore.findUserById(tx, review.reviewer_id)
  const repo = issue && doer && accessTo(tx, { ...anonymous, user: doer }, issue.repo_id)
  return repo && { issue, deed: { context, doer, repo, at: review.created_at } }
}
