import { Elysia } from 'elysia'
import { Answers, accessTo, gate, operation, paging, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { findEverywhere } from './find-issues.ts'
import { IssueList, SearchQuery } from './schema.ts'
import { presentIssues } from './view.ts'

/** Issues in all repositories. */
export function searchRoutes(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'issues.search' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/issues/search',
      ({ viewer, query, page, total, request, set }) =>
        answers.keep({ viewer, request, set }, () => {
          const found = findEverywhere(context, viewer, query, page)
          total(found.total)
          const repos = new Map([...new Set(found.rows.map(({ repo_id }) => repo_id))].map((id) => [id, accessTo(context.db, viewer, id) as RepoAccess]))
          return presentIssues(context, viewer, found.rows, ({ repo_id }) => repos.get(repo_id) as RepoAccess)
        }),
      {
        anyone: 'issue',
        list: true,
        query: SearchQuery,
        response: { 200: IssueList },
        detail: { ...operation('issueSearchIssues', 'Search for issues across the repositories that the user has access to', 'issue'), errors: [400] },
      },
    )
}
