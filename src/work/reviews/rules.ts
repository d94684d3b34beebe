import { accessStore, anonymous, atLeast, permissionIn, type RepoAccess, refuseBlocked, type TeamRow, type Viewer } from '#access/index.ts'
import { type BranchRule, isListed, isTeamListed, ruleFor } from '#code/protection/index.ts'
import type { Db } from '#kernel/db.ts'
import { isCandidate } from '#repositories/collaborators/index.ts'
import { type Deed, type IssueRow, isPoster, isWriter, refuseLocked } from '#work/issues/index.ts'
import { findPullEnds, type PullEnds } from './pull-ends-store.ts'
import { holdsUnit, isReached } from './team-store.ts'

type Place = Pick<RepoAccess, 'row' | 'owner'>

/**
 * Whether what somebody says of a pull request counts: of who is on the list of the rule for its branch or, without a list, who may write code
 * there, as in Gitea.
 */
export function isOfficial(db: Db, repo: Place, issue: Pick<IssueRow, 'id'>, userId: number): boolean {
  const user = accessStore.findUserById(db, userId)
  if (user === undefined || user.is_active !== 1) return false
  const level = permissionIn(db, { ...anonymous, user }, repo.row, repo.owner).of('code')
  const rule = approvalRule(db, issue)
  return rule ? atLeast(level, 'read') && isListed(db, rule.id, 'approvals', userId) : atLeast(level, 'write')
}

/** The same of a team that is asked. */
export function isOfficialTeam(db: Db, issue: Pick<IssueRow, 'id'>, team: TeamRow): boolean {
  const rule = approvalRule(db, issue)
  if (rule) return isTeamListed(db, rule.id, 'approvals', team.id)
  return team.permission === 'admin' || team.permission === 'owner' || holdsUnit(db, team.id, 'code', 'write')
}

/** The rule for the branch of a pull request, when it says whose reviews count. */
function approvalRule(db: Db, issue: Pick<IssueRow, 'id'>): BranchRule | undefined {
  const rule = ruleOf(db, findPullEnds(db, issue.id))
  return rule?.enable_approvals_whitelist === 1 ? rule : undefined
}

/** The rule for the branch that a pull request is to be merged into. */
export function ruleOf(db: Db, ends: Pick<PullEnds, 'repo_id' | 'base_branch'> | undefined): BranchRule | undefined {
  return ends && ruleFor(db, ends.repo_id, ends.base_branch)
}

/** Whether a team can read the pull requests of a repository because it is the team. */
export function reachesTeam(db: Db, team: TeamRow, { row, owner }: Place): boolean {
  if (team.org_id !== owner.id || !isReached(db, team.id, row.id)) return false
  return team.permission === 'admin' || team.permission === 'owner' || holdsUnit(db, team.id, 'pulls', 'read')
}

/** The author, and who has a part in the repository, ask others for reviews; where nothing changes any more nobody does. */
export function mayAskForReviews(db: Db, { doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): boolean {
  if (repo.row.archived_at !== null) return false
  return issue.poster_id === doer.id || isWriter(repo, issue) || isCandidate(db, doer.id, repo, 'reviews')
}

/** The author of the pull request, who may write there, and whose reviews count say when a conversation is over. */
export function mayResolve(db: Db, viewer: Viewer, repo: RepoAccess, issue: IssueRow): boolean {
  return isPoster(viewer, issue) || isWriter(repo, issue) || (viewer.user !== undefined && isOfficial(db, repo, issue, viewer.user.id))
}

/** @throws Forbidden where the conversation is locked, and for whom the owner or the author blocked */
export function refuseWriting(db: Db, { doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): void {
  refuseLocked(repo, issue)
  refuseBlocked(db, repo.owner.id, doer.id)
  if (issue.poster_id !== null) refuseBlocked(db, issue.poster_id, doer.id)
}
