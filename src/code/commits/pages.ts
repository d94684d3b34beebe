import { Elysia, t } from 'elysia'
import { gate, PageQuery, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { parsePage } from '#kernel/page.ts'
import { Visit } from '#web/index.ts'
import { commitFeeds } from './feed-pages.ts'
import { getRefPath } from './ref-path.ts'
import { showCommit, showLog } from './show.tsx'

const PAGE_SIZE = 30

/** The log of a branch, tag or commit, and single commits with what they changed. */
export function commitPages(context: Context) {
  return new Elysia({ name: 'commits.pages' })
    .use(commitFeeds(context))
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/commits/:kind/*',
      ({ viewer, repo, request, params, query }) => {
        const page = parsePage({ page: query.page }, { defaultLimit: PAGE_SIZE, maxLimit: PAGE_SIZE })
        return showLog(context, new Visit(context, viewer, request), repo, getRefPath(context, repo, params.kind, params['*']), page)
      },
      {
        repo: 'code:read',
        params: t.Object({ ...RepoParams.properties, kind: t.String(), '*': t.String() }),
        query: PageQuery,
        detail: { hide: true },
      },
    )
    .use(gate(context, 'either'))
    .get('/:owner/:repo/commit/:sha', ({ viewer, repo, request, params }) => showCommit(context, new Visit(context, viewer, request), repo, params.sha), {
      repo: 'code:read',
      params: t.Object({ ...RepoParams.properties, sha: t.String() }),
      detail: { hide: true },
    })
}
