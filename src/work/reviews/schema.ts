import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams } from '#access/index.ts'
import { Int, oneOf, Time, wordList } from '#kernel/schema.ts'
import { Team } from '#people/teams/index.ts'
import { User } from '#people/users/index.ts'
import { CommentText, IssueParams, Text } from '#work/issues/index.ts'
import { reviewStates } from './store.ts'

export const PullReview = t.Object(
  {
    id: Int(),
    user: t.Nullable(User),
    team: t.Nullable(Team),
    state: oneOf(reviewStates),
    body: t.String(),
    commit_id: t.String({ description: 'the head commit that was reviewed' }),
    stale: t.Boolean({ description: 'whether the changes differ from those that were reviewed' }),
    official: t.Boolean({ description: 'whether the review counts for branch protection rules' }),
    dismissed: t.Boolean(),
    comments_count: Int(),
    submitted_at: Time,
    updated_at: Time,
    html_url: t.String(),
    pull_request_url: t.String(),
  },
  { $id: 'PullReview' },
)
export type PullReview = Static<typeof PullReview>
export const PullReviewList = t.Array(PullReview, { $id: 'PullReviewList' })

export const PullReviewComment = t.Object(
  {
    id: Int(),
    body: t.String(),
    user: User,
    resolver: t.Nullable(User),
    pull_request_review_id: Int(),
    created_at: Time,
    updated_at: Time,
    path: t.String(),
    commit_id: t.String({ description: 'the head commit that the comment is now placed on' }),
    original_commit_id: t.String({ description: 'the head commit that the comment was written on' }),
    diff_hunk: t.String(),
    position: Int({ description: 'line number in the new file; 0 for a line of the old file' }),
    original_position: Int({ description: 'line number in the old file; 0 for a line of the new file' }),
    html_url: t.String(),
    pull_request_url: t.String(),
  },
  { $id: 'PullReviewComment' },
)
export type PullReviewComment = Static<typeof PullReviewComment>
export const PullReviewCommentList = t.Array(PullReviewComment, { $id: 'PullReviewCommentList' })

const Line = t.Optional(Int({ minimum: 0, maximum: 2 ** 31 - 1 }))
const onLine = {
  path: t.String({ minLength: 1, maxLength: 4096, description: 'path of the file in the repository' }),
  body: CommentText,
  old_position: Line,
  new_position: Line,
}
export const CreatePullReviewComment = t.Object(onLine, { $id: 'CreatePullReviewComment' })
export type CreatePullReviewComment = Static<typeof CreatePullReviewComment>
export const CreatePullReviewCommentOptions = t.Object(onLine, { $id: 'CreatePullReviewCommentOptions' })
export const CreatePullReviewCommentReplyOptions = t.Object({ body: onLine.body }, { $id: 'CreatePullReviewCommentReplyOptions' })

const event = t.Optional(t.String({ maxLength: 50, description: 'APPROVED, REQUEST_CHANGES or COMMENT; any other value keeps the review pending' }))
/** Comments that one body may bring, and that a review may hold before it is sent: they are all sent at once. */
export const MAX_DRAFTS = 1000
export const CreatePullReviewOptions = t.Object(
  {
    event,
    body: t.Optional(Text),
    commit_id: t.Optional(t.String({ maxLength: 64, description: 'the head commit to review (default: the latest)' })),
    comments: t.Optional(t.Nullable(t.Array(CreatePullReviewComment, { maxItems: MAX_DRAFTS }))),
  },
  { $id: 'CreatePullReviewOptions' },
)
export type CreatePullReviewOptions = Static<typeof CreatePullReviewOptions>
export const SubmitPullReviewOptions = t.Object({ event, body: t.Optional(Text) }, { $id: 'SubmitPullReviewOptions' })
export type SubmitPullReviewOptions = Static<typeof SubmitPullReviewOptions>
export const DismissPullReviewOptions = t.Object({ message: t.Optional(Text), priors: t.Optional(t.Boolean()) }, { $id: 'DismissPullReviewOptions' })
export type DismissPullReviewOptions = Static<typeof DismissPullReviewOptions>

const Names = t.Optional(t.Nullable(wordList(t.String({ maxLength: 255 }), { maxItems: 100 })))
export const PullReviewRequestOptions = t.Object({ reviewers: Names, team_reviewers: Names }, { $id: 'PullReviewRequestOptions' })
export type PullReviewRequestOptions = Static<typeof PullReviewRequestOptions>

export const ReviewParams = t.Object({ ...IssueParams.properties, id: IdText('ID of the review') })
export const ReviewCommentParams = t.Object({ ...ReviewParams.properties, comment: IdText('ID of the comment') })
export const CommentParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the comment') })
export const ThreadParams = t.Object({ ...IssueParams.properties, id: IdText('ID of the comment to reply to') })
export const ReviewsQuery = PageQuery
