import { type Static, t } from 'elysia'
import { IdText, PageQuery, RepoParams } from '#access/index.ts'
import { Int, Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'
import { Attachment } from '#work/attachments/index.ts'
import { CommentText, IssueParams, TimeQuery, UpdatedAt } from '#work/issues/index.ts'

export const Comment = t.Object(
  {
    id: Int(),
    html_url: t.String(),
    pull_request_url: t.String({ description: 'URL of the pull request; empty for a comment on an issue' }),
    issue_url: t.String({ description: 'URL of the issue; empty for a comment on a pull request' }),
    user: User,
    original_author: t.String(),
    original_author_id: Int(),
    body: t.String(),
    assets: t.Array(Attachment),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'Comment' },
)
export type Comment = Static<typeof Comment>
export const CommentList = t.Array(Comment, { $id: 'CommentList' })

const written = { body: CommentText, updated_at: UpdatedAt }
export const CreateIssueCommentOption = t.Object(written, { $id: 'CreateIssueCommentOption' })
export type CreateIssueCommentOption = Static<typeof CreateIssueCommentOption>
export const EditIssueCommentOption = t.Object(written, { $id: 'EditIssueCommentOption' })
export type EditIssueCommentOption = Static<typeof EditIssueCommentOption>

export const CommentParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the comment') })
export const DeprecatedParams = t.Object({ ...IssueParams.properties, id: IdText('ID of the comment') })
/** The contract calls `since` `string`; Gitea's clients send `since`. */
const string = t.Optional(t.String({ documentedAs: 'date-time', description: 'same as since; if both are set, the later time applies' }))
export const CommentsQuery = t.Object({ ...TimeQuery, string })
export type CommentsQuery = Static<typeof CommentsQuery>
export const RepoCommentsQuery = t.Object({ ...CommentsQuery.properties, ...PageQuery.properties })
