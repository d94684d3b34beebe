import { type Static, t } from 'elysia'
import { PageQuery, RepoParams } from '#access/index.ts'
import { Int, Time, wordList } from '#kernel/schema.ts'
import { Team } from '#people/teams/index.ts'
import { User } from '#people/users/index.ts'
import { Label } from '#repositories/labels/index.ts'
import { Repository } from '#repositories/repos/index.ts'
import { CreateIssueOption, IssueParams, Text } from '#work/issues/index.ts'
import { Milestone, StateType } from '#work/milestones/index.ts'

export const PRBranchInfo = t.Object(
  { label: t.String(), ref: t.String(), sha: t.String(), repo_id: Int(), repo: t.Nullable(Repository) },
  { $id: 'PRBranchInfo' },
)
export type PRBranchInfo = Static<typeof PRBranchInfo>

export const PullRequest = t.Object(
  {
    id: Int(),
    url: t.String(),
    number: Int(),
    user: User,
    title: t.String(),
    body: t.String(),
    labels: t.Array(Label),
    milestone: t.Nullable(Milestone),
    assignee: t.Nullable(User),
    assignees: t.Nullable(t.Array(User)),
    requested_reviewers: t.Nullable(t.Array(User)),
    requested_reviewers_teams: t.Nullable(t.Array(Team)),
    state: StateType,
    draft: t.Boolean(),
    is_locked: t.Boolean(),
    comments: Int(),
    review_comments: t.Optional(Int()),
    additions: t.Optional(Int()),
    deletions: t.Optional(Int()),
    changed_files: t.Optional(Int()),
    html_url: t.String(),
    diff_url: t.String(),
    patch_url: t.String(),
    mergeable: t.Boolean(),
    merged: t.Boolean(),
    merged_at: t.Nullable(Time),
    merge_commit_sha: t.Nullable(t.String()),
    merged_by: t.Nullable(User),
    allow_maintainer_edit: t.Boolean(),
    base: PRBranchInfo,
    head: PRBranchInfo,
    merge_base: t.String(),
    due_date: t.Nullable(Time),
    created_at: Time,
    updated_at: Time,
    closed_at: t.Nullable(Time),
    pin_order: Int(),
    content_version: Int(),
    flow: Int({ description: '0: created from a branch; 1: created by a push to refs/for/' }),
  },
  { $id: 'PullRequest' },
)
export type PullRequest = Static<typeof PullRequest>
export const PullRequestList = t.Array(PullRequest, { $id: 'PullRequestList' })

const { closed: _closed, ref: _ref, ...shared } = CreateIssueOption.properties
const BranchName = t.String({ minLength: 1, maxLength: 1024 })
const Names = t.Optional(wordList(t.String({ maxLength: 255 }), { maxItems: 100 }))

export const CreatePullRequestOption = t.Object(
  { ...shared, base: BranchName, head: BranchName, allow_maintainer_edit: t.Optional(t.Boolean()), reviewers: Names, team_reviewers: Names },
  { $id: 'CreatePullRequestOption' },
)
export type CreatePullRequestOption = Static<typeof CreatePullRequestOption>

export const EditPullRequestOption = t.Object(
  {
    title: t.Optional(t.String({ maxLength: 4096 })),
    body: t.Optional(Text),
    base: t.Optional(t.String({ maxLength: 1024 })),
    state: t.Optional(t.String({ maxLength: 20, description: 'open or closed' })),
    assignee: shared.assignee,
    assignees: shared.assignees,
    labels: shared.labels,
    milestone: shared.milestone,
    due_date: shared.due_date,
    unset_due_date: t.Optional(t.Boolean()),
    allow_maintainer_edit: t.Optional(t.Boolean()),
    content_version: t.Optional(Int()),
  },
  { $id: 'EditPullRequestOption' },
)
export type EditPullRequestOption = Static<typeof EditPullRequestOption>

export const PullsQuery = t.Object({
  state: t.Optional(t.String({ description: 'open, closed or all (default: all)' })),
  sort: t.Optional(t.String({ description: 'oldest, recentupdate, recentclose, leastupdate, mostcomment, leastcomment or priority (default: newest first)' })),
  milestone: t.Optional(t.String({ documentedAs: 'integer', description: 'ID of the milestone' })),
  labels: t.Optional(
    t.Union([t.String(), t.Array(t.String(), { maxItems: 100 })], { description: 'label IDs; matches pull requests with any of these labels' }),
  ),
  poster: t.Optional(t.String({ description: 'only pull requests opened by this user' })),
  base_branch: t.Optional(t.String({ description: 'only pull requests with this base branch' })),
  ...PageQuery.properties,
})
export type PullsQuery = Static<typeof PullsQuery>

export const PullParams = IssueParams
export const BranchesParams = t.Object({
  ...RepoParams.properties,
  index: t.String({ title: 'base', description: 'base of the pull request to get' }),
  '*': t.String({ title: 'head', description: 'head of the pull request to get' }),
})

export const ChangedFile = t.Object(
  {
    filename: t.String(),
    previous_filename: t.Optional(t.String()),
    status: t.String(),
    additions: Int(),
    deletions: Int(),
    changes: Int(),
    html_url: t.String(),
    contents_url: t.String(),
    raw_url: t.String(),
  },
  { $id: 'ChangedFile' },
)
export type ChangedFile = Static<typeof ChangedFile>
