import { accessStore, anonymous } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Backlog } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { accessTo, type Deed, findIssueById, type IssueRow, linkFrom, noteMentions } from '#work/issues/index.ts'
import { announceReview } from './announce.ts'
import { deleteSent, findFirstSent, listWords, putSent, type SentRow } from './sent-store.ts'
import { findReview, type ReviewRow } from './store.ts'

/** Comments looked at in one transaction: a few milliseconds. */
const SLICE = 15

/** Tells of reviews that were sent with very many comments. */
export class SentReviews extends Backlog {
  constructor(context: Context) {
    super(context, 'tell of reviews that were sent', (tx) => tellNext(context, tx))
  }
}

/**
 * Tells in the timelines of others what a review refers to, and everybody of it: in this transaction, unless it has very many comments, which
 * are looked at a little later.
 */
export function tellOfReview(tx: Tx, deed: Deed, issue: IssueRow, reviewId: number, entry: { id: number; body: string }): void {
  const sent = { review_id: reviewId, entry_id: entry.id, looked_to: 0, mentioned: noteWords(tx, deed, issue, [entry]) }
  if (!tellSome(tx, deed, issue, sent)) deed.context.services.get(SentReviews).begin(tx)
}

/** @returns whether there may be more */
function tellNext(context: Context, tx: Tx): boolean {
  const sent = findFirstSent(tx)
  if (!sent) return false
  const found = deedOf(context, tx, sent)
  if (!found || tellSome(tx, found.deed, found.issue, sent)) deleteSent(tx, sent.review_id)
  return true
}

/** Goes on from where it has looked to. @returns whether that was all, and everybody is told */
function tellSome(tx: Tx, deed: Deed, issue: IssueRow, sent: SentRow): boolean {
  const words = listWords(tx, sent, SLICE)
  const mentioned = [...new Set([...sent.mentioned, ...noteWords(tx, deed, issue, words)])]
  const last = words[SLICE - 1]
  if (last) putSent(tx, { ...sent, looked_to: last.id, mentioned })
  else announceSent(tx, deed, issue, { ...sent, mentioned })
  return last === undefined
}

function noteWords(tx: Tx, deed: Deed, issue: IssueRow, words: readonly { id: number; body: string }[]): number[] {
  return words.flatMap(({ id, body }) => {
    linkFrom(tx, deed, issue, { text: body, commentId: id })
    return noteMentions(tx, deed, issue, body)
  })
}

function announceSent(tx: Tx, deed: Deed, issue: IssueRow, { review_id, entry_id: entryId, mentioned }: SentRow): void {
  const commentIds = listWords(tx, { review_id, looked_to: 0 }, -1).map(({ id }) => id)
  announceReview(tx, deed, issue, findReview(tx, review_id) as ReviewRow, 'submitted', { entryId, commentIds, mentioned })
}

/** Who sent it, where; undefined once any of it is gone. */
function deedOf(context: Context, tx: Tx, { review_id }: SentRow): { deed: Deed; issue: IssueRow } | undefined {
  const review = findReview(tx, review_id)
  const issue = review && findIssueById(tx, review.issue_id)
  const doer = review?.reviewer_id == null ? undefined : accessStore.findUserById(tx, review.reviewer_id)
  const repo = issue && doer && accessTo(tx, { ...anonymous, user: doer }, issue.repo_id)
  return repo && { issue, deed: { context, doer, repo, at: review.created_at } }
}
