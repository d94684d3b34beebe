import { Elysia } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath } from '#kernel/http.ts'
import { compareCommits, compareText } from './compare-refs.ts'
import { Compare, CompareParams, CompareQuery } from './schema.ts'

/** What one branch, tag or commit has over another. */
export function compare(context: Context) {
  return new Elysia({ name: 'compare' }).use(gate(context)).get(
    '/repos/:owner/:repo/compare/*',
    async ({ viewer, repo, params, query, request, server }) => {
      const text = decodePath(params['*'])
      // A `Response` goes out as it is, whatever the declared record.
      if (query.output) return (await compareText(context, viewer, repo, { text, form: query.output, peer: { request, server } })) as never
      return compareCommits(context, viewer, repo, text, query)
    },
    {
      repo: 'code:read',
      params: CompareParams,
      query: CompareQuery,
      response: { 200: Compare },
      detail: { ...operation('repoCompareDiff', 'Get commit comparison information', 'repository'), errors: [400], produces: ['text/plain'] },
    },
  )
}
