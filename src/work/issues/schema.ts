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
export const CommentText = t.String({ maxLength: 1_048_576, pattern: '\\S', error: 'a text that is not blank is expected' })
const Name = t.String({ maxLength: 255 })
export const UpdatedAt = t.Optional(
  t.String({ format: 'date-time', description: "when it is to be dated; for the repository's owner and administrators, from the issue's creation up to now" }),
)

const people = {
  assignee: t.Optional(t.String({ maxLength: 255, description: 'deprecated' })),
  assignees: t.Optional(wordList(Name, { maxItems: MOST_ASSIGNEES })),
}

export const CreateIssueOption = t.Object(
  {
    title: t.String({ maxLength: 4096, pattern: '\\S', error: 'a title that is not blank is expected' }),
    body: t.Optional(Text),
    ref: t.Optional(Name),
    ...people,
    due_date: t.Optional(Time),
    milestone: t.Optional(Int({ description: 'milestone id' })),
    labels: t.Optional(t.Array(Int(), { maxItems: MOST_LABELS, description: 'list of label ids' })),
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
    milestone: t.Optional(Int({ description: 'milestone id; 0 for none' })),
    state: t.Optional(t.String({ maxLength: 20, description: 'open or closed' })),
    due_date: t.Optional(Time),
    unset_due_date: t.Optional(t.Boolean()),
    content_version: t.Optional(Int({ description: 'refuses the change when the text was changed since this version' })),
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
export const HistoryQuery = t.Object({ comment_id: t.Optional(IdText("a comment on the issue; without it, the issue's own text")) })

export const IssueParams = t.Object({ ...RepoParams.properties, index: IdText('index of the issue') })

const since = t.Optional(t.String({ documentedAs: 'date-time', description: 'only what was updated at this time or later' }))
const before = t.Optional(t.String({ documentedAs: 'date-time', description: 'only what was updated at this time or earlier' }))
export const TimeQuery = { since, before }

const filters = {
  state: t.Optional(t.String({ description: 'open, closed or all; open by default, unless q asks for a state' })),
  labels: t.Optional(t.String({ description: 'names of labels, with commas between them' })),
  q: t.Optional(
    t.String({
      description: `words to search for, or the number of an issue, and GitHub's qualifiers: ${qualifiers.map((name) => `${name}:`).join(' ')}, with OR, NOT, -, parentheses, quotes, commas for OR, @me and ranges like >=2026-01-01 or 2..5. At most ${MAX_QUERY_LENGTH} characters and ${MAX_QUERY_TERMS} terms. Of very many matches the newest are found first, and X-Total-Count grows for who pages on until it is all`,
    }),
  ),
  type: t.Optional(t.String({ description: 'issues or pulls' })),
  milestones: t.Optional(t.String({ description: 'names or ids of milestones, with commas between them' })),
  ...TimeQuery,
  created_by: t.Optional(t.String({ description: 'only what this person opened' })),
  sort: t.Optional(
    t.String({
      description:
        'relevance, latest, oldest, recentupdate, leastupdate, mostcomment, leastcomment, nearduedate, farduedate; by relevance when words are searched for, else latest',
    }),
  ),
}

export const IssuesQuery = t.Object({
  ...filters,
  assigned_by: t.Optional(t.String({ description: 'only what this person is assigned to' })),
  mentioned_by: t.Optional(t.String({ description: 'only what mentions this person' })),
  ...PageQuery.properties,
})
export type IssuesQuery = Static<typeof IssuesQuery>

const flag = (description: string) => t.Optional(t.String({ documentedAs: 'boolean', description }))
export const SearchQuery = t.Object({
  ...filters,
  assigned: flag('only what you are assigned to'),
  created: flag('only what you opened'),
  mentioned: flag('only what mentions you'),
  review_requested: flag('only pull requests that you are asked to review'),
  reviewed: flag('only pull requests that you reviewed'),
  owner: t.Optional(t.String({ description: 'only in what this person or organization owns' })),
  team: t.Optional(t.String({ description: 'only what this team of the owner reaches' })),
  priority_repo_id: t.Optional(t.String({ documentedAs: 'integer', description: 'the repository that comes first' })),
  ...PageQuery.properties,
})
export type SearchQuery = Static<typeof SearchQuery>
