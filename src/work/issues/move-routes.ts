import { Elysia } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { findEntry, listHistory } from './entry-store.ts'
import { getIssue } from './find-issue.ts'
import { moveIssue } from './move-issue.ts'
import { isPoster } from './rules.ts'
import { ContentHistoryList, HistoryQuery, Issue, IssueParams, MoveIssueOption } from './schema.ts'
import { peopleOf, presentIssue } from './view.ts'

/** What Gitea has on its pages alone: moving an issue to another repository, and what its texts were before. */
export function moveRoutes(context: Context) {
  return new Elysia({ name: 'issues.move' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/issues/:index/move',
      (asked) => {
        const { repo, issue } = moveIssue(context, asked.viewer, asked.repo, getIssue(context, asked), asked.body)
        return presentIssue(context, asked.viewer, repo, issue)
      },
      {
        repo: 'issues:write',
        params: IssueParams,
        body: MoveIssueOption,
        response: { 201: Issue },
        detail: operation('issueMove', 'Move an issue to another repository; the old URL redirects to the new one', 'issue'),
      },
    )
    .get(
      '/repos/:owner/:repo/issues/:index/content-history',
      (asked) => {
        const issue = getIssue(context, asked)
        const commentId = asked.query.comment_id === undefined ? null : rowIdIn(asked.query.comment_id)
        const comment = commentId === null ? undefined : findEntry(context.db, issue.repo_id, commentId)
        if (commentId !== null && (comment?.issue_id !== issue.id || (comment.type === 'code_draft' && !isPoster(asked.viewer, comment)))) throw new NotFound()
        const rows = listHistory(context.db, issue.id, commentId)
        const personOf = peopleOf(
          context,
          asked.viewer,
          rows.map(({ editor_id }) => editor_id),
        )
        return rows.map((row) => ({ id: row.id, editor: personOf(row.editor_id), body: row.body, created_at: rfc3339(row.created_at) }))
      },
      {
        repo: 'issues|pulls:read',
        params: IssueParams,
        query: HistoryQuery,
        response: { 200: ContentHistoryList },
        detail: operation('issueListContentHistory', "List the earlier versions of an issue's text or of a comment, newest first", 'issue'),
      },
    )
}
