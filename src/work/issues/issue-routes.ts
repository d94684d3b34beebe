import { Elysia } from 'elysia'
import { Answers, gate, noContent, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { createIssue } from './create-issue.ts'
import { deleteIssue } from './delete-issue.ts'
import { editIssue } from './edit-issue.ts'
import { getIssue } from './find-issue.ts'
import { findInRepo } from './find-issues.ts'
import { CreateIssueOption, EditIssueOption, Issue, IssueList, IssueParams, IssuesQuery } from './schema.ts'
import { presentIssue, presentIssues } from './view.ts'

/** Issues of one repository. Who may read issues or pull requests is let in; of which kind one is, is looked at here. */
export function issueRoutes(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'issues.repo' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/issues',
      ({ viewer, repo, query, page, total, request, set }) =>
        answers.keep({ viewer, request, set }, async () => {
          const found = await findInRepo(context, viewer, repo, query, page)
          total(found.total)
          return presentIssues(context, viewer, found.rows, () => repo)
        }),
      {
        repo: 'issues|pulls:read',
        list: true,
        params: RepoParams,
        query: IssuesQuery,
        response: { 200: IssueList },
        detail: operation('issueListIssues', "List a repository's issues", 'issue'),
      },
    )
    .post(
      '/repos/:owner/:repo/issues',
      ({ viewer, repo, body }) => {
        const issue = createIssue(context, viewer, repo, body)
        return presentIssue(context, viewer, repo, issue)
      },
      {
        repo: 'issues:read',
        params: RepoParams,
        body: CreateIssueOption,
        response: { 201: Issue },
        detail: {
          ...operation('issueCreateIssue', 'Create an issue. If using deadline only the date will be taken into account, and time of day ignored.', 'issue'),
          errors: [412],
        },
      },
    )
    .get(
      '/repos/:owner/:repo/issues/:index',
      ({ viewer, repo, params, request, set }) =>
        answers.keep({ viewer, request, set }, () => presentIssue(context, viewer, repo, getIssue(context, { viewer, repo, params, request }))),
      { repo: 'issues|pulls:read', params: IssueParams, response: { 200: Issue }, detail: operation('issueGetIssue', 'Get an issue', 'issue') },
    )
    .patch(
      '/repos/:owner/:repo/issues/:index',
      ({ viewer, repo, params, request, body }) => {
        const issue = editIssue(context, viewer, repo, getIssue(context, { viewer, repo, params, request }), body)
        return presentIssue(context, viewer, repo, issue)
      },
      {
        repo: 'issues|pulls:read',
        params: IssueParams,
        body: EditIssueOption,
        response: { 201: Issue },
        detail: {
          ...operation('issueEditIssue', 'Edit an issue. If using deadline only the date will be taken into account, and time of day ignored.', 'issue'),
          errors: [409, 412],
        },
      },
    )
    .delete(
      '/repos/:owner/:repo/issues/:index',
      ({ viewer, repo, params, request }) => {
        deleteIssue(context, viewer, repo, getIssue(context, { viewer, repo, params, request }))
      },
      { repo: 'issues|pulls:admin', params: IssueParams, response: noContent, detail: operation('issueDelete', 'Delete an issue', 'issue') },
    )
}
