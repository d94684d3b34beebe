import { accessStore, canSee, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { HEADS } from '#git/refs/names.ts'
import { NotFound } from '#kernel/errors.ts'
import type { UserRecord } from '#people/users/index.ts'
import { findRef } from '#repositories/refs/index.ts'
import { presentRepo } from '#repositories/repos/index.ts'
import { accessTo, type Issue, type IssueRow, isDraft, issueHtmlUrl, peopleOf, presentIssues } from '#work/issues/index.ts'
import { presentReviewers, presentReviewTeams } from '#work/reviews/index.ts'
import { baseOid, diffTotals, mergeBaseOf, mergeStatus } from './facts.ts'
import { headRef } from './refs.ts'
import type { PRBranchInfo, PullRequest } from './schema.ts'
import { listPullsOf, type PullRow } from './store.ts'

type Repositories = Map<number, RepoAccess | undefined>

/** One pull request, with how much it changes. @throws NotFound when it was deleted meanwhile, with its repository or alone */
export async function presentPull(context: Context, viewer: Viewer, seen: RepoAccess, issue: IssueRow): Promise<PullRequest> {
  // What was just done to it may have changed what the repository counts.
  const repo = { ...seen, row: accessStore.findRepoById(context.db, seen.row.id) ?? seen.row }
  const [record] = await presentPulls(context, viewer, repo, [issue])
  const [pull] = listPullsOf(context.db, [issue.id])
  if (!record || !pull) throw new NotFound()
  const lists = {
    assignees: record.assignees ?? [],
    requested_reviewers: record.requested_reviewers ?? [],
    requested_reviewers_teams: presentReviewTeams(context, viewer, issue.id),
  }
  if (pull.head_repo_id === null) return { ...record, ...lists }
  const totals = await diffTotals(context, pull.repo_id, await mergeBaseOf(context, pull), pull.head_oid)
  return { ...record, ...lists, additions: totals.additions, deletions: totals.deletions, changed_files: totals.files }
}

/** Pull requests of one repository, as lists show them. */
export async function presentPulls(context: Context, viewer: Viewer, repo: RepoAccess, issues: readonly IssueRow[]): Promise<PullRequest[]> {
  const records = presentIssues(context, viewer, issues, () => repo)
  const pulls = new Map(
    listPullsOf(
      context.db,
      issues.map(({ id }) => id),
    ).map((pull) => [pull.issue_id, pull]),
  )
  const merger = peopleOf(
    context,
    viewer,
    [...pulls.values()].map((pull) => pull.merged_by),
  )
  const reviewersOf = presentReviewers(
    context,
    viewer,
    issues.map(({ id }) => id),
  )
  const repositories: Repositories = new Map([[repo.row.id, repo]])
  return Promise.all(
    issues.flatMap((issue, at) => {
      const [pull, record] = [pulls.get(issue.id), records[at]]
      return pull && record ? [presentOne(context, viewer, { repo, issue, pull, record, repositories, merger, reviewers: reviewersOf(issue.id) })] : []
    }),
  )
}

interface Parts {
  repo: RepoAccess
  issue: IssueRow
  pull: PullRow
  record: Issue
  repositories: Repositories
  merger: ReturnType<typeof peopleOf>
  reviewers: UserRecord[]
}

async function presentOne(context: Context, viewer: Viewer, { repo, issue, pull, record, repositories, merger, reviewers }: Parts): Promise<PullRequest> {
  const htmlUrl = issueHtmlUrl(context, repo, issue)
  const isMerged = issue.merged_at !== null
  const { id, number, user, title, body, labels, milestone, assignee, assignees, state, is_locked, comments } = record
  const { created_at, updated_at, closed_at, due_date, pin_order, content_version } = record
  return {
    ...{ id, number, user, title, body, labels, milestone, assignee, assignees, state, is_locked, comments },
    ...{ created_at, updated_at, closed_at, due_date, pin_order, content_version },
    url: htmlUrl,
    html_url: htmlUrl,
    diff_url: `${htmlUrl}.diff`,
    patch_url: `${htmlUrl}.patch`,
    requested_reviewers: reviewers.length === 0 ? null : reviewers,
    // Lists never say, as in Gitea.
    requested_reviewers_teams: null,
    review_comments: pull.review_comment_count || undefined,
    draft: isDraft(title),
    mergeable: await isMergeable(context, issue, pull),
    merged: isMerged,
    merged_at: record.pull_request?.merged_at ?? null,
    merge_commit_sha: isMerged ? pull.merge_oid : null,
    merged_by: isMerged ? merger(pull.merged_by) : null,
    allow_maintainer_edit: pull.allow_maintainer_edit === 1,
    base: presentBase(context, viewer, repo, pull),
    head: presentHead(context, viewer, { number, pull, repo, repositories }),
    flow: pull.flow,
    merge_base: (await mergeBaseOf(context, pull)) ?? '',
  }
}

/** As in Gitea: true unless a conflict was found or the title says that it is not ready, and still true once it is merged. */
async function isMergeable(context: Pick<Context, 'db' | 'git' | 'log' | 'services'>, issue: IssueRow, pull: PullRow): Promise<boolean> {
  if (issue.merged_at !== null) return true
  const base = baseOid(context.db, pull)
  if (base === undefined || issue.is_closed === 1 || isDraft(issue.title)) return false
  const status = await mergeStatus(context, { id: pull.repo_id }, base, pull.head_oid)
  return status !== 'conflict' && status !== 'failed'
}

function presentBase(context: Pick<Context, 'db' | 'rootUrl'>, viewer: Viewer, repo: RepoAccess, pull: PullRow): PRBranchInfo {
  const name = pull.base_branch
  return { label: name, ref: name, sha: baseOid(context.db, pull) ?? pull.merge_oid ?? '', repo_id: repo.row.id, repo: presentRepo(context, viewer, repo) }
}

/** Once the branch is gone, the changes are where the server keeps them. */
function presentHead(
  context: Pick<Context, 'db' | 'rootUrl'>,
  viewer: Viewer,
  { number, pull, repo: base, repositories }: { number: number; pull: PullRow; repo: RepoAccess; repositories: Repositories },
): PRBranchInfo {
  const { head_repo_id: repoId, head_branch: label, head_oid: sha } = pull
  if (pull.flow === 1) return { label: '', ref: headRef(number), sha, repo_id: base.row.id, repo: presentRepo(context, viewer, base) }
  if (repoId === null) return { label, ref: headRef(number), sha, repo_id: -1, repo: null }
  if (!repositories.has(repoId)) repositories.set(repoId, accessTo(context.db, viewer, repoId))
  const repo = repositories.get(repoId)
  const ref = findRef(context.db, repoId, HEADS + label) ? label : headRef(number)
  return { label, ref, sha, repo_id: repoId, repo: repo && canSee(repo.permission) ? presentRepo(context, viewer, repo) : null }
}
