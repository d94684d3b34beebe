import { Elysia } from 'elysia'
import { gate, noContent, operation, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pacedStream } from '#kernel/answers/paced-stream.ts'
import { inParts, uncheckedPages } from '#kernel/http.ts'
import { removeComment } from '#work/comments/index.ts'
import { getPull, type IssueRow } from '#work/issues/index.ts'
import { addToReview, replyTo, setResolved } from './comment-on-lines.ts'
import { type LineComment, listLineComments } from './comment-store.ts'
import { getReview, getReviewComment } from './find-review.ts'
import {
  CommentParams,
  CreatePullReviewCommentOptions,
  CreatePullReviewCommentReplyOptions,
  PullReviewComment,
  PullReviewCommentList,
  ReviewCommentParams,
  ReviewParams,
  ThreadParams,
} from './schema.ts'
import { settleReviews } from './settle.ts'
import { presentLineComments } from './view.ts'

/** Comments on the lines of a pull request. */
export function commentRoutes(context: Context) {
  const present = (viewer: Viewer, repo: RepoAccess, issue: IssueRow, comment: LineComment) =>
    presentLineComments(context, viewer, repo, issue, [comment])[0] as PullReviewComment
  return new Elysia({ name: 'reviews.comments' })
    .use(gate(context))
    .use(threadRoutes(context))
    .get(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/comments',
      async (asked) => {
        await settleReviews(context, getReview(context, asked).issue.id)
        const { issue, review } = getReview(context, asked)
        const rows = listLineComments(context.db, review.id)
        const parts = inParts(rows, (part) => presentLineComments(context, asked.viewer, asked.repo, issue, part))
        const { request, server } = asked
        return uncheckedPages(parts, (source) => pacedStream(context, source, { request, server }), { total: () => rows.length })
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        response: { 200: PullReviewCommentList },
        detail: operation('repoGetPullReviewComments', 'Get the comments of a review', 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/comments',
      async (asked) => {
        const reviewed = getReview(context, asked)
        return present(asked.viewer, asked.repo, reviewed.issue, await addToReview(context, asked.viewer, reviewed, asked.body))
      },
      {
        repo: 'pulls:read',
        params: ReviewParams,
        body: CreatePullReviewCommentOptions,
        response: { 200: PullReviewComment },
        detail: operation('repoCreatePullReviewComment', 'Add a new comment to a pull request review', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/comments/:comment',
      async (asked) => {
        await settleReviews(context, getReviewComment(context, asked).issue.id)
        const { issue, comment } = getReviewComment(context, asked)
        return present(asked.viewer, asked.repo, issue, comment)
      },
      {
        repo: 'pulls:read',
        params: ReviewCommentParams,
        response: { 200: PullReviewComment },
        detail: operation('repoGetPullReviewComment', 'Get a pull review comment', 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/pulls/:index/reviews/:id/comments/:comment',
      (asked) => {
        removeComment(context, asked.viewer, asked.repo, String(getReviewComment(context, asked).comment.id))
      },
      {
        repo: 'pulls:read',
        params: ReviewCommentParams,
        response: noContent,
        detail: operation('repoDeletePullReviewComment', 'Delete a pull review comment', 'repository'),
      },
    )
}

/** The conversation at a line: what is answered, and whether it is over. */
function threadRoutes(context: Context) {
  return new Elysia({ name: 'reviews.threads' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/pulls/:index/comments/:id/replies',
      (asked) => {
        const { viewer, repo, params, body } = asked
        const issue = getPull(context, asked)
        return presentLineComments(context, viewer, repo, issue, [replyTo(context, viewer, issue, params.id, body.body)])[0] as PullReviewComment
      },
      {
        repo: 'pulls:read',
        params: ThreadParams,
        body: CreatePullReviewCommentReplyOptions,
        response: { 201: PullReviewComment },
        detail: { ...operation('repoCreatePullReviewCommentReply', 'Reply to a pull request review comment', 'repository'), errors: [400] },
      },
    )
    .post('/repos/:owner/:repo/pulls/comments/:id/resolve', ({ viewer, repo, params }) => setResolved(context, viewer, repo, params.id, true), {
      repo: 'pulls:read',
      params: CommentParams,
      response: noContent,
      detail: { ...operation('repoResolvePullReviewComment', 'Resolve a pull request review comment', 'repository'), errors: [400] },
    })
    .post('/repos/:owner/:repo/pulls/comments/:id/unresolve', ({ viewer, repo, params }) => setResolved(context, viewer, repo, params.id, false), {
      repo: 'pulls:read',
      params: CommentParams,
      response: noContent,
      detail: { ...operation('repoUnresolvePullReviewComment', 'Unresolve a pull request review comment', 'repository'), errors: [400] },
    })
}
