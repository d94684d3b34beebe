import { Elysia } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pacedStream } from '#kernel/answers/paced-stream.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { inParts, nullWhenEmpty, uncheckedPages } from '#kernel/http.ts'
import { CommentParams, getComment } from '#work/comments/index.ts'
import { type Asked, getIssue, IssueParams, peopleOf } from '#work/issues/index.ts'
import { react, type Spot, unreact } from './react.ts'
import { EditReactionOption, Reaction, ReactionList } from './schema.ts'
import { countReactions, listReactions, type ReactionRow } from './store.ts'

/** Reactions to issues and to comments. */
export function reactions(context: Context) {
  return new Elysia({ name: 'reactions' }).use(toIssues(context)).use(toComments(context))
}

function presenter(context: Pick<Context, 'db' | 'rootUrl'>) {
  return (viewer: Viewer, rows: readonly ReactionRow[]): Reaction[] => {
    const personOf = peopleOf(
      context,
      viewer,
      rows.map(({ user_id }) => user_id),
    )
    return rows.map((row) => ({ user: personOf(row.user_id), content: row.content, created_at: rfc3339(row.created_at) }))
  }
}

function adder(context: Context) {
  const present = presenter(context)
  return (spot: Spot, content: string | undefined, set: { status?: number | string }) => {
    const { row, isNew } = react(context, spot, content)
    set.status = isNew ? 201 : 200
    return present(spot.viewer, [row])[0] as Reaction
  }
}

function toIssues(context: Context) {
  const present = presenter(context)
  const add = adder(context)
  const spotOf = (asked: Asked): Spot => {
    const issue = getIssue(context, asked)
    return { viewer: asked.viewer, repo: asked.repo, issue, target: { issueId: issue.id, commentId: null }, posterId: issue.poster_id }
  }
  return new Elysia({ name: 'reactions.issues' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/issues/:index/reactions',
      ({ page, total, ...asked }) => {
        const { target } = spotOf(asked)
        total(countReactions(context.db, target))
        const rows = listReactions(context.db, target, page)
        return nullWhenEmpty(present(asked.viewer, rows))
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: IssueParams,
        query: PageQuery,
        response: { 200: ReactionList },
        detail: operation('issueGetIssueReactions', 'Get a list reactions of an issue', 'issue'),
      },
    )
    .post('/repos/:owner/:repo/issues/:index/reactions', ({ set, ...asked }) => add(spotOf(asked), asked.body.content, set), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      body: EditReactionOption,
      response: { 200: Reaction, 201: Reaction },
      detail: operation('issuePostIssueReaction', 'Add a reaction to an issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issues/:index/reactions', (asked) => unreact(context, spotOf(asked), asked.body.content), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      body: EditReactionOption,
      response: noContent,
      detail: operation('issueDeleteIssueReaction', 'Remove a reaction from an issue', 'issue'),
    })
}

function toComments(context: Context) {
  const present = presenter(context)
  const add = adder(context)
  const spotOf = ({ viewer, repo, params }: { viewer: Viewer; repo: RepoAccess; params: { id: string } }): Spot => {
    const { comment, issue } = getComment(context, viewer, repo, params.id)
    return { viewer, repo, issue, target: { issueId: issue.id, commentId: comment.id }, posterId: comment.poster_id }
  }
  return new Elysia({ name: 'reactions.comments' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/issues/comments/:id/reactions',
      ({ request, server, ...asked }) => {
        const rows = listReactions(context.db, spotOf(asked).target)
        if (rows.length === 0) return nullWhenEmpty([])
        const parts = inParts(rows, (part) => present(asked.viewer, part))
        return uncheckedPages(parts, (source) => pacedStream(context, source, { request, server }), { total: () => rows.length })
      },
      {
        repo: 'issues|pulls:read',
        params: CommentParams,
        response: { 200: ReactionList },
        detail: operation('issueGetCommentReactions', 'Get a list of reactions from a comment', 'issue'),
      },
    )
    .post('/repos/:owner/:repo/issues/comments/:id/reactions', ({ set, ...asked }) => add(spotOf(asked), asked.body.content, set), {
      repo: 'issues|pulls:read',
      params: CommentParams,
      body: EditReactionOption,
      response: { 200: Reaction, 201: Reaction },
      detail: operation('issuePostCommentReaction', 'Add a reaction to a comment', 'issue'),
    })
    .delete('/repos/:owner/:repo/issues/comments/:id/reactions', (asked) => unreact(context, spotOf(asked), asked.body.content), {
      repo: 'issues|pulls:read',
      params: CommentParams,
      body: EditReactionOption,
      response: noContent,
      detail: operation('issueDeleteCommentReaction', 'Remove a reaction from a comment', 'issue'),
    })
}
