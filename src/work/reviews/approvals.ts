import { anonymous } from '#access/index.ts'
import type { BranchRule } from '#code/protection/index.ts'
import type { Db } from '#kernel/db.ts'
import { accessTo } from '#work/issues/index.ts'
import { hasOfficialRequest, listOfficial } from './approval-store.ts'
import { findPullEnds, isSettled, type PullEnds } from './pull-ends-store.ts'
import { isOfficial } from './rules.ts'

/**
 * Why `rule`, the one for its branch, keeps a pull request from being merged, as far as its reviews go; undefined when it does not. Asked in the
 * transaction that merges it, after `settleReviews`: as long as it is not known which verdicts are stale, none that must not be is believed.
 */
export function findObjection(db: Db, issueId: number, rule: BranchRule): string | undefined {
  if (rule.required_approvals > 0) {
    const ends = findPullEnds(db, issueId)
    if (!ends) return undefined
    const caresForStale = rule.ignore_stale_approvals === 1 || rule.dismiss_stale_approvals === 1
    if (caresForStale && !isSettled(ends)) return 'Please try again later'
    if (countApprovals(db, ends, rule) < rule.required_approvals) return 'Does not have enough approvals'
  }
  if (rule.block_on_rejected_reviews === 1 && listOfficial(db, issueId, 'REQUEST_CHANGES').length > 0) return 'There are requested changes'
  if (rule.block_on_official_review_requests === 1 && hasOfficialRequest(db, issueId)) return 'There are official review requests'
  return undefined
}

/** Those that counted when they were given, and that are of somebody whose reviews count now: the rule, the branch and rights may be others since. */
function countApprovals(db: Db, { issue_id, repo_id }: PullEnds, rule: BranchRule): number {
  const repo = accessTo(db, anonymous, repo_id)
  if (!repo) return 0
  const given = listOfficial(db, issue_id, 'APPROVED').filter(({ is_stale }) => is_stale === 0 || rule.ignore_stale_approvals === 0)
  return given.filter(({ reviewer_id }) => reviewer_id !== null && isOfficial(db, repo, { id: issue_id }, reviewer_id)).length
}
