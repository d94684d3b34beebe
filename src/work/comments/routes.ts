import { Elysia } from 'elysia'
import { gate, lineOf, noContent, operation, paging, type RepoAccess, RepoParams, readableBy, refuseArchived, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { nullWhenEmpty, unchecked, uncheckedPages } from '#kernel/http.ts'
import { timeIn } from '#kernel/schema.ts'
import { type CommentRow, getIssue, IssueParams, type IssueRow, listIssuesById, mayRead } from '#work/issues/index.ts'
import { createComment, editComment, getComment, removeComment, type Written } from './change-comments.ts'
import {
  Comment,
  CommentList,
  CommentParams,
  CommentsQuery,
  CreateIssueCommentOption,
  DeprecatedParams,
  EditIssueCommentOption,
  RepoCommentsQuery,
} from './schema.ts'
import { countComments, listComments, listRepoComments, type Span } from './store.ts'
import { presentTimeline } from './timeline.ts'
import { TimelineList, TimelineQuery } from './timeline-schema.ts'
import { listEntries, toldCondition } from './timeline-store.ts'
import { presentComment, presentComments } from './view.ts'

/** What people write on issues and pull requests. */
export function comments(context: Context) {
  const present = (viewer: Viewer, repo: RepoAccess, { comment, issue }: Written) => presentComment(context, viewer, repo, issue, comment)
  return new Elysia({ name: 'comments' })
    .use(gate(context))
    .use(paging(context))
    .use(issueComments(context))
    .use(deprecated(context))
    .get(
      '/repos/:owner/:repo/issues/comments',
      async ({ viewer, repo, query, page, total }) => {
        const kinds = { issues: mayRead(repo, { is_pull: 0 }), pulls: mayRead(repo, { is_pull: 1 }) }
        const found = await listRepoComments(context.db, lineOf(viewer), repo.row.id, kinds, spanOf(query), page)
        total(found.total)
        const issues = new Map(listIssuesById(context.db, [...new Set(found.rows.map(({ issue_id }) => issue_id))]).map((row) => [row.id, row]))
        // An issue may be deleted while its comments are looked for.
        const rows = found.rows.filter(({ issue_id }) => issues.has(issue_id))
        return unchecked(presentComments(context, viewer, repo, rows, (row: CommentRow) => issues.get(row.issue_id) as IssueRow))
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: RepoParams,
        query: RepoCommentsQuery,
        response: { 200: CommentList },
        detail: operation('issueGetRepoComments', 'List all comments in a repository', 'issue'),
      },
    )
    .get('/repos/:owner/:repo/issues/comments/:id', ({ viewer, repo, params }) => present(viewer, repo, getComment(context, viewer, repo, params.id)), {
      repo: 'issues|pulls:read',
      params: CommentParams,
      response: { 200: Comment },
      detail: operation('issueGetComment', 'Get a comment', 'issue'),
    })
    .patch(
      '/repos/:owner/:repo/issues/comments/:id',
      ({ viewer, repo, params, body }) => {
        getComment(context, viewer, repo, params.id)
        refuseArchived(repo)
        return present(viewer, repo, editComment(context, viewer, repo, params.id, body))
      },
      {
        repo: 'issues|pulls:read',
        params: CommentParams,
        body: EditIssueCommentOption,
        response: { 200: Comment },
        detail: operation('issueEditComment', 'Edit a comment', 'issue'),
      },
    )
    .delete(
      '/repos/:owner/:repo/issues/comments/:id',
      ({ viewer, repo, params }) => {
        removeComment(context, viewer, repo, params.id)
      },
      { repo: 'issues|pulls:read', params: CommentParams, response: noContent, detail: operation('issueDeleteComment', 'Delete a comment', 'issue') },
    )
}

/** @throws Unprocessable for what is not a time */
function spanOf(query: CommentsQuery): Span {
  const starts = [timeIn(query.since, 'since'), timeIn(query.string, 'string')].filter((time) => time !== undefined)
  return { since: starts.length > 0 ? Math.max(...starts) : undefined, before: timeIn(query.before, 'before') }
}

/** Comments that are read and presented in one go. */
const AT_ONCE = 250

/** Very many come a part at a time: others have their turn in between. */
async function* commentPages<T>(
  first: CommentRow[],
  next: (after?: CommentRow) => CommentRow[],
  present: (rows: readonly CommentRow[]) => T[],
): AsyncGenerator<T[]> {
  for (let rows = first; rows.length > 0; rows = next(rows.at(-1))) {
    yield present(rows)
    if (rows.length < AT_ONCE) return
    if (isDue()) await breathe()
  }
}

/** Those of one issue; the contract has them under both `issue` and `issues`. */
function issueComments(context: Context) {
  const list = ({ query, server, ...asked }: Parameters<typeof getIssue>[1] & Pick<Peer, 'server'> & { query: CommentsQuery }) => {
    const issue = getIssue(context, asked)
    const span = spanOf(query)
    const next = (after?: CommentRow) => listComments(context.db, issue.id, span, AT_ONCE, after)
    const present = (rows: readonly CommentRow[]) => presentComments(context, asked.viewer, asked.repo, rows, () => issue)
    const first = next()
    if (first.length < AT_ONCE) return present(first)
    const total = () => countComments(context.db, lineOf(asked.viewer), issue.id, span)
    return uncheckedPages(commentPages(first, next, present), (source) => pacedStream(context, source, { request: asked.request, server }), { total })
  }
  const listed = { repo: 'issues|pulls:read', params: IssueParams, query: CommentsQuery, response: { 200: CommentList } } as const
  return new Elysia({ name: 'comments.issue' })
    .use(gate(context))
    .get('/repos/:owner/:repo/issues/:index/comments', (asked) => list(asked), {
      ...listed,
      detail: operation('issueGetCommentsPlural', 'List all comments on an issue', 'issue'),
    })
    .get('/repos/:owner/:repo/issue/:index/comments', (asked) => list(asked), {
      ...listed,
      detail: operation('issueGetComments', 'List all comments on an issue', 'issue'),
    })
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/issues/:index/timeline',
      async ({ viewer, repo, params, request, query, page, total }) => {
        const issue = getIssue(context, { viewer, repo, params, request })
        const readable = { issues: readableBy(viewer, 'issues'), pulls: readableBy(viewer, 'pulls'), code: readableBy(viewer, 'code') }
        const isTold = toldCondition({ id: repo.row.id, ownerId: repo.owner.id }, readable)
        const found = await listEntries(context.db, lineOf(viewer), { issueId: issue.id, isTold }, spanOf(query), page)
        total(found.total)
        return nullWhenEmpty(presentTimeline(context, viewer, repo, issue, found.rows))
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: IssueParams,
        query: TimelineQuery,
        response: { 200: TimelineList },
        detail: operation('issueGetCommentsAndTimeline', 'List all comments and events on an issue', 'issue'),
      },
    )
    .post(
      '/repos/:owner/:repo/issues/:index/comments',
      ({ viewer, repo, params, request, body }) => {
        const issue = getIssue(context, { viewer, repo, params, request })
        const comment = createComment(context, viewer, repo, issue, body)
        return presentComment(context, viewer, repo, issue, comment)
      },
      {
        repo: 'issues|pulls:read',
        params: IssueParams,
        body: CreateIssueCommentOption,
        response: { 201: Comment },
        detail: operation('issueCreateComment', 'Add a comment to an issue', 'issue'),
      },
    )
}

/** Paths that name an issue, too, and pay no heed to it. */
function deprecated(context: Context) {
  return new Elysia({ name: 'comments.deprecated' })
    .use(gate(context))
    .patch(
      '/repos/:owner/:repo/issues/:index/comments/:id',
      ({ viewer, repo, params, body }) => {
        const { comment, issue } = editComment(context, viewer, repo, params.id, body)
        return presentComment(context, viewer, repo, issue, comment)
      },
      {
        repo: 'issues|pulls:read',
        params: DeprecatedParams,
        body: EditIssueCommentOption,
        response: { 200: Comment },
        detail: { ...operation('issueEditCommentDeprecated', 'Edit a comment', 'issue'), deprecated: true },
      },
    )
    .delete(
      '/repos/:owner/:repo/issues/:index/comments/:id',
      ({ viewer, repo, params }) => {
        removeComment(context, viewer, repo, params.id)
      },
      {
        repo: 'issues|pulls:read',
        params: DeprecatedParams,
        response: noContent,
        detail: { ...operation('issueDeleteCommentDeprecated', 'Delete a comment', 'issue'), deprecated: true },
      },
    )
}
