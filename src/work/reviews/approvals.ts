import { anonymous } from '#access/index.ts'
import type { BranchRule } from '#code/protection/index.ts'
import type { Db } from '#kernel/db.ts'
import { accessTo } from '#work/issues/index.ts'
import { findPullEnds, isSettled, type PullEnds } from './pull-ends-store.ts'
import { countsUnder } from './rules.ts'
import type { ReviewRow } from './store.ts'
import { listOfficial } from './store.ts'

/**
 * Why `rule`, the one for its branch, keeps a pull request from being merged, as far as its reviews go: each reason is looked for when it is asked for.
 * Asked in the transaction that merges it, after `settleReviews`: as long as it is not known which verdicts are stale, none that must not be is believed.
 */
export function* findObjections(db: Db, issueId: number, rule: BranchRule, known = standingOf(db, issueId)): Generator<string, undefined> {
  if (rule.required_approvals > 0) {
    const ends = known.ends()
    if (!ends) return
    const caresForStale = rule.ignore_stale_approvals === 1 || rule.dismiss_stale_approvals === 1
    if (caresForStale && !isSettled(ends)) {
      yield 'Please try again later'
      return
    }
    if (countApprovals(db, ends, rule, known.official('APPROVED')) < rule.required_approvals) yield 'Does not have enough approvals'
  }
  if (rule.block_on_rejected_reviews === 1 && known.official('REQUEST_CHANGES').length > 0) yield 'There are requested changes'
  if (rule.block_on_official_review_requests === 1 && known.official('REQUEST_REVIEW').length > 0) yield 'There are official review requests'
}

/** What the reviews of a pull request come to: the ends that they are about, and those that count and are not dismissed, of a kind. */
export interface ReviewStanding {
  ends(): PullEnds | undefined
  official(state: 'APPROVED' | 'REQUEST_CHANGES' | 'REQUEST_REVIEW'): readonly ReviewRow[]
}

/** As the rows say it. */
function standingOf(db: Db, issueId: number): ReviewStanding {
  return { ends: () => findPullEnds(db, issueId), official: (state) => listOfficial(db, issueId, state) }
}

/** The same of reviews that were all found already. */
export function standingAmong(ends: PullEnds | undefined, reviews: readonly ReviewRow[]): ReviewStanding {
  return { ends: () => ends, official: (state) => reviews.filter((one) => one.state === state && one.is_official === 1 && one.is_dismissed === 0) }
}

/** Those that counted when they were given, and that are of somebody whose reviews count now: the rule, the branch and rights may be others since. */
function countApprovals(db: Db, { repo_id }: PullEnds, rule: BranchRule, approvals: readonly ReviewRow[]): number {
  const repo = accessTo(db, anonymous, repo_id)
  if (!repo) return 0
  const given = approvals.filter(({ is_stale }) => is_stale === 0 || rule.ignore_stale_approvals === 0)
  return given.filter(({ reviewer_id }) => reviewer_id !== null && countsUnder(db, repo, rule, reviewer_id)).length
}
