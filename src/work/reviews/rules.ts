import {
  accessStore,
  anonymous,
  atLeast,
  type Level,
  maySignIn,
  permissionIn,
  type RepoAccess,
  refuseBlocked,
  type TeamRow,
  type Viewer,
} from '#access/index.ts'
import { type BranchRule, isListed, isTeamListed, ruleFor } from '#code/protection/index.ts'
import { nothingAsked, type Question } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import { candidacyQuestion, isCandidate } from '#repositories/collaborators/index.ts'
import { type Deed, type IssueRow, isPoster, isWriter, refuseLocked } from '#work/issues/index.ts'
import { findPullEnds, type PullEnds } from './pull-ends-store.ts'
import { holdsUnit, isReached } from './team-store.ts'

/** Of a pull request, which branch it is to be merged into. */
type Ends = Pick<PullEnds, 'repo_id' | 'base_branch'>

type Place = Pick<RepoAccess, 'row' | 'owner'>

/**
 * Whether what somebody says of a pull request counts: of who is on the list of the rule for its branch or, without a list, who may write code
 * there, as in Gitea.
 */
export function isOfficial(db: Db, repo: Place, issue: Pick<IssueRow, 'id'>, userId: number): boolean {
  return isOfficialUnder(db, repo, () => ruleOf(db, findPullEnds(db, issue.id)), userId)
}

/** The same under a rule that is known. */
export function countsUnder(db: Db, repo: Place, rule: BranchRule, userId: number): boolean {
  return isOfficialUnder(db, repo, () => rule, userId)
}

function isOfficialUnder(db: Db, repo: Place, findRule: () => BranchRule | undefined, userId: number): boolean {
  const user = accessStore.findUserById(db, userId)
  if (user === undefined || !maySignIn(user)) return false
  return counts(db, findRule, userId, permissionIn(db, { ...anonymous, user }, repo.row, repo.owner).of('code'))
}

/** @param level what they may do with the code */
function counts(db: Db, findRule: () => BranchRule | undefined, userId: number, level: Level): boolean {
  const rule = atLeast(level, 'read') ? approvalRule(findRule()) : undefined
  return rule ? isListed(db, rule.id, 'approvals', userId) : atLeast(level, 'write')
}

/** The same of a team that is asked. */
export function isOfficialTeam(db: Db, issue: Pick<IssueRow, 'id'>, team: TeamRow): boolean {
  const rule = approvalRule(ruleOf(db, findPullEnds(db, issue.id)))
  if (rule) return isTeamListed(db, rule.id, 'approvals', team.id)
  return team.permission === 'admin' || team.permission === 'owner' || holdsUnit(db, team.id, 'code', 'write')
}

/** A rule, when it says whose reviews count. */
function approvalRule(rule: BranchRule | undefined): BranchRule | undefined {
  return rule?.enable_approvals_whitelist === 1 ? rule : undefined
}

/** The rule for the branch that a pull request is to be merged into. */
export function ruleOf(db: Db, ends: Ends | undefined): BranchRule | undefined {
  return ends && ruleFor(db, ends.repo_id, ends.base_branch)
}

/** Whether a team can read the pull requests of a repository because it is the team. */
export function reachesTeam(db: Db, team: TeamRow, { row, owner }: Place): boolean {
  if (team.org_id !== owner.id || !isReached(db, team.id, row.id)) return false
  return team.permission === 'admin' || team.permission === 'owner' || holdsUnit(db, team.id, 'pulls', 'read')
}

/** The author, and who has a part in the repository, ask others for reviews; where nothing changes any more nobody does. */
export function mayAskForReviews(db: Db, { doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): boolean {
  return mayAskUnseen({ doer, repo }, issue) ?? isCandidate(db, doer.id, repo, 'reviews')
}

/** The same, told by whether anything is found. */
export function askersQuestion({ doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): Question<object> {
  const known = mayAskUnseen({ doer, repo }, issue)
  if (known === undefined) return candidacyQuestion(doer.id, repo, 'reviews')
  return known ? { sql: 'SELECT 1 AS may', values: [] } : nothingAsked
}

/** As far as it can be told without asking; undefined when it cannot. */
function mayAskUnseen({ doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): boolean | undefined {
  if (repo.row.archived_at !== null) return false
  return issue.poster_id === doer.id || isWriter(repo, issue) || undefined
}

/**
 * The author of the pull request, who may write there, and whose reviews count say when a conversation is over.
 * @param findRule the one for its base, where that is known
 */
export function mayResolve(db: Db, viewer: Viewer, repo: RepoAccess, issue: IssueRow, findRule = () => ruleOf(db, findPullEnds(db, issue.id))): boolean {
  if (isPoster(viewer, issue) || isWriter(repo, issue)) return true
  return viewer.user !== undefined && counts(db, findRule, viewer.user.id, repo.permission.of('code'))
}

/** @throws Forbidden where the conversation is locked, and for whom the owner or the author blocked */
export function refuseWriting(db: Db, { doer, repo }: Pick<Deed, 'doer' | 'repo'>, issue: IssueRow): void {
  refuseLocked(repo, issue)
  refuseBlocked(db, repo.owner.id, doer.id)
  if (issue.poster_id !== null) refuseBlocked(db, issue.poster_id, doer.id)
}
