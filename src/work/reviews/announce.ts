import type { Tx } from '#kernel/db.ts'
import type { Deed, IssueRow } from '#work/issues/index.ts'
import type { ReviewEvent } from './events.ts'
import type { ReviewRow } from './store.ts'

type Review = Pick<ReviewRow, 'id' | 'state' | 'reviewer_id' | 'team_id' | 'commit_oid' | 'body'>

export function announceReview(
  tx: Tx,
  { context, doer }: Deed,
  issue: IssueRow,
  review: Review,
  action: ReviewEvent['action'],
  more: Partial<Pick<ReviewEvent, 'body' | 'entryId' | 'commentIds' | 'mentioned'>> = {},
): void {
  const { id: issueId, repo_id: repoId, number, title } = issue
  context.events.record(tx, {
    ...{ type: 'pull_review', action, actorId: doer.id, repoId, issueId, number, title },
    ...{ reviewId: review.id, state: review.state, body: review.body },
    reviewerId: review.reviewer_id ?? undefined,
    teamId: review.team_id ?? undefined,
    commitOid: review.commit_oid === '' ? undefined : review.commit_oid,
    ...more,
  })
}
