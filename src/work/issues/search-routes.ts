import { Elysia } from 'elysia'
import { Answers, gate, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { findEverywhere } from './find-issues.ts'
import { presentAnywhere } from './present-anywhere.ts'
import { IssueList, SearchQuery } from './schema.ts'

/** Issues in all repositories. */
export function searchRoutes(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'issues.search' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/issues/search',
      ({ viewer, query, page, total, request, set }) =>
        answers.keep({ viewer, request, set }, async () => {
          const found = await findEverywhere(context, viewer, query, page)
          total(found.total)
          return presentAnywhere(context, viewer, found.rows)
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
