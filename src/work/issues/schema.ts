import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams, RepositoryMeta } from '#access/index.ts'
import { Int, Time, wordList } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'
import { Label } from '#repositories/labels/index.ts'
import { Attachment } from '#work/attachments/index.ts'
import { Milestone, StateType } from '#work/milestones/index.ts'
import { MAX_QUERY_LENGTH, MAX_QUERY_TERMS, qualifiers } from './query-syntax.ts'

/** People that one issue can be given to. */
export const MOST_ASSIGNEES = 100
/** Labels that one issue can carry. */
export const MOST_LABELS = 200
/** Issues that one issue can wait for: all of them may be gone over when it is closed. */
export const MOST_DEPENDENCIES = 1000

export const PullRequestMeta = t.Object(
  { merged: t.Boolean(), merged_at: t.Nullable(Time), draft: t.Boolean(), html_url: t.String() },
  { $id: 'PullRequestMeta' },
)

export const Issue = t.Object(
  {
    id: Int(),
    url: t.String(),
    html_url: t.String(),
    number: Int(),
    user: User,
    original_author: t.String(),
    original_author_id: Int(),
    title: t.String(),
    body: t.String(),
    ref: t.String(),
    assets: t.Array(Attachment),
    labels: t.Array(Label),
    milestone: t.Nullable(Milestone),
    assignee: t.Nullable(User),
    assignees: t.Nullable(t.Array(User)),
    state: StateType,
    is_locked: t.Boolean(),
    comments: Int(),
    created_at: Time,
    updated_at: Time,
    closed_at: t.Nullable(Time),
    due_date: t.Nullable(Time),
    time_estimate: Int(),
    pull_request: t.Nullable(PullRequestMeta),
    repository: RepositoryMeta,
    pin_order: Int(),
    content_version: Int(),
  },
  { $id: 'Issue' },
)
export type Issue = Static<typeof Issue>
export const IssueList = t.Array(Issue, { $id: 'IssueList' })

/** What people write may be long, but not endless. */
export const Text = t.String({ maxLength: 1_048_576 })
/** The text of a comment. A comment without text is refused. */
export const CommentText = t.String({ maxLength: 1_048_576, pattern: '\\S', error: 'the text must not be blank' })
const Name = t.String({ maxLength: 255 })
export const UpdatedAt = t.Optional(
  t.String({
    format: 'date-time',
    description: 'time to record for the change, between the creation of the issue and now; requires admin access to the repository',
  }),
)

const people = {
  assignee: t.Optional(t.String({ maxLength: 255, description: 'deprecated' })),
  assignees: t.Optional(wordList(Name, { maxItems: MOST_ASSIGNEES })),
}

export const CreateIssueOption = t.Object(
  {
    title: t.String({ maxLength: 4096, pattern: '\\S', error: 'a title is required' }),
    body: t.Optional(Text),
    ref: t.Optional(Name),
    ...people,
    due_date: t.Optional(Time),
    milestone: t.Optional(Int({ description: 'milestone ID' })),
    labels: t.Optional(t.Array(Int(), { maxItems: MOST_LABELS, description: 'label IDs' })),
    closed: t.Optional(t.Boolean()),
  },
  { $id: 'CreateIssueOption' },
)
export type CreateIssueOption = Static<typeof CreateIssueOption>

export const EditIssueOption = t.Object(
  {
    title: t.Optional(t.String({ maxLength: 4096 })),
    body: t.Optional(Text),
    ref: t.Optional(Name),
    ...people,
    milestone: t.Optional(Int({ description: 'milestone ID; 0 removes the milestone' })),
    state: t.Optional(t.String({ maxLength: 20, description: 'open or closed' })),
    due_date: t.Optional(Time),
    unset_due_date: t.Optional(t.Boolean()),
    content_version: t.Optional(Int({ description: 'version of the text that you edited; if the text has changed since, the request fails' })),
    updated_at: UpdatedAt,
  },
  { $id: 'EditIssueOption' },
)
export type EditIssueOption = Static<typeof EditIssueOption>

export const NewIssuePinsAllowed = t.Object({ issues: t.Boolean(), pull_requests: t.Boolean() }, { $id: 'NewIssuePinsAllowed' })
export const IssueAssigneesOption = t.Object({ assignees: t.Optional(wordList(Name, { maxItems: MOST_ASSIGNEES })) }, { $id: 'IssueAssigneesOption' })
export const EditDeadlineOption = t.Object({ due_date: t.Optional(Time) }, { $id: 'EditDeadlineOption' })
export const IssueDeadline = t.Object({ due_date: t.Nullable(Time) }, { $id: 'IssueDeadline' })
export const LockIssueOption = t.Object({ lock_reason: t.Optional(Name) }, { $id: 'LockIssueOption' })
export const IssueMeta = t.Object({ index: t.Optional(Int()), owner: t.Optional(Name), repo: t.Optional(Name) }, { $id: 'IssueMeta' })
export type IssueMeta = Static<typeof IssueMeta>
export const MoveIssueOption = t.Object({ owner: Name, repo: Name }, { $id: 'MoveIssueOption' })

export const WatchInfo = t.Object(
  { subscribed: t.Boolean(), ignored: t.Boolean(), reason: t.Null(), created_at: Time, url: t.String(), repository_url: t.String() },
  { $id: 'WatchInfo' },
)

export const ContentHistory = t.Object({ id: Int(), editor: User, body: t.String(), created_at: Time }, { $id: 'ContentHistory' })
export const ContentHistoryList = t.Array(ContentHistory, { $id: 'ContentHistoryList' })
export const HistoryQuery = t.Object({ comment_id: t.Optional(IdText('ID of a comment; if omitted, the description of the issue')) })

export const IssueParams = t.Object({ ...RepoParams.properties, index: IdText('index of the issue') })

const since = t.Optional(t.String({ documentedAs: 'date-time', description: 'only items updated at or after this time' }))
const before = t.Optional(t.String({ documentedAs: 'date-time', description: 'only items updated at or before this time' }))
export const TimeQuery = { since, before }

const filters = {
  state: t.Optional(t.String({ description: 'open, closed or all; default: open, unless q contains a state' })),
  labels: t.Optional(t.String({ description: 'comma-separated label names' })),
  q: t.Optional(
    t.String({
      description: `search text: words, an issue number, and GitHub's qualifiers: ${qualifiers.map((name) => `${name}:`).join(' ')}, combined with OR, NOT, -, parentheses, quotes and commas (for OR); @me and ranges such as >=2026-01-01 or 2..5. At most ${MAX_QUERY_LENGTH} characters and ${MAX_QUERY_TERMS} terms. If there are very many matches, the newest are returned first, and X-Total-Count grows from page to page until it is complete`,
    }),
  ),
  type: t.Optional(t.String({ description: 'issues or pulls' })),
  milestones: t.Optional(t.String({ description: 'comma-separated milestone names or IDs' })),
  ...TimeQuery,
  created_by: t.Optional(t.String({ description: 'only items created by this user' })),
  sort: t.Optional(
    t.String({
      description:
        'relevance, latest, oldest, recentupdate, leastupdate, mostcomment, leastcomment, nearduedate, farduedate; default: relevance if q contains words, otherwise latest',
    }),
  ),
}

export const IssuesQuery = t.Object({
  ...filters,
  assigned_by: t.Optional(t.String({ description: 'only items assigned to this user' })),
  mentioned_by: t.Optional(t.String({ description: 'only items that mention this user' })),
  ...PageQuery.properties,
})
export type IssuesQuery = Static<typeof IssuesQuery>

const flag = (description: string) => t.Optional(t.String({ documentedAs: 'boolean', description }))
export const SearchQuery = t.Object({
  ...filters,
  assigned: flag('only items assigned to you'),
  created: flag('only items created by you'),
  mentioned: flag('only items that mention you'),
  review_requested: flag('only pull requests that request your review'),
  reviewed: flag('only pull requests that you reviewed'),
  owner: t.Optional(t.String({ description: 'only items in repositories of this user or organization' })),
  team: t.Optional(t.String({ description: 'only items in repositories of this team of the owner' })),
  priority_repo_id: t.Optional(t.String({ documentedAs: 'integer', description: 'ID of the repository whose items are listed first' })),
  ...PageQuery.properties,
})
export type SearchQuery = Static<typeof SearchQuery>
