import { Elysia, t } from 'elysia'
import { gate, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { pageOfSize } from '#kernel/page.ts'
import { Visit } from '#web/index.ts'
import { ChangesQuery } from './changes-query.ts'
import { commitFeeds } from './feed-pages.ts'
import { showGraph, showLog } from './log.tsx'
import { type LogCursor, parseCursor } from './log-cursor.ts'
import { LogTrail } from './log-trail.ts'
import { redirectToPlace } from './redirect-to-place.ts'
import { getRefPath, isRefKind } from './ref-path.ts'
import { refViews } from './ref-picker.tsx'
import { goToRef, showRefs } from './refs-page.tsx'
import { showCommit } from './show.tsx'

const PAGE_SIZE = 30
const GRAPH_SIZE = 100
const MAX_BRANCHES = 200
const Text = t.Optional(t.String({ maxLength: 200 }))
/** Pages count by digits that keep a walk short. */
const LogQuery = t.Object({
  page: t.Optional(t.String({ maxLength: 5 })),
  tip: t.Optional(t.String({ maxLength: 64 })),
  after: t.Optional(t.String({ maxLength: 64 })),
  front: t.Optional(t.String({ maxLength: 1500 })),
  trail: t.Optional(t.String({ maxLength: 4000 })),
  by: Text,
  saying: Text,
  since: Text,
  until: Text,
})

const RefsQuery = t.Object({
  q: t.Optional(t.String({ maxLength: 1024 })),
  view: t.Optional(t.String({ maxLength: 20 })),
  path: t.Optional(t.String({ maxLength: 4096 })),
  ref: t.Optional(t.String({ maxLength: 1024 })),
})

/** The log of a branch, tag or commit, and single commits with what they changed. */
export function commitPages(context: Context) {
  return new Elysia({ name: 'commits.pages' })
    .use(commitFeeds(context))
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/commits/:kind/*',
      async ({ viewer, repo, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        if (!isRefKind(params.kind)) return redirectToPlace(context, visit, repo, 'commits', `${params.kind}/${params['*']}`)
        const page = pageOfSize(query.page, PAGE_SIZE)
        const place = await getRefPath(context, repo, params.kind, params['*'])
        const filter = { by: query.by?.trim() ?? '', saying: query.saying?.trim() ?? '', since: query.since ?? '', until: query.until ?? '' }
        return showLog(context, visit, repo, place, {
          tip: query.tip,
          cursor: cursorIn(query),
          trail: new LogTrail(query.trail, query),
          page,
          filter,
        })
      },
      {
        repo: 'code:read',
        params: t.Object({ ...RepoParams.properties, kind: t.String(), '*': t.String() }),
        query: LogQuery,
        detail: { hide: true },
      },
    )
    .get(
      '/:owner/:repo/commits/:kind',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'commits', params.kind),
      { repo: 'code:read', params: t.Object({ ...RepoParams.properties, kind: t.String() }), detail: { hide: true } },
    )
    .get('/:owner/:repo/commits', ({ viewer, repo, request }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'commits', 'HEAD'), {
      repo: 'code:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get(
      '/:owner/:repo/graph',
      ({ viewer, repo, request, query }) => {
        const page = pageOfSize(query.page, GRAPH_SIZE)
        const names = new URL(request.url).searchParams.getAll('branch').slice(0, MAX_BRANCHES)
        return showGraph(context, new Visit(context, viewer, request), repo, { names, cursor: cursorIn(query), trail: new LogTrail(query.trail, query), page })
      },
      { repo: 'code:read', params: RepoParams, query: t.Pick(LogQuery, ['page', 'after', 'front', 'trail']), detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/refs',
      ({ viewer, repo, request, query }) => {
        const visit = new Visit(context, viewer, request)
        const question = { text: query.q?.trim() ?? '', view: refViews.find((one) => one === query.view) ?? 'src', path: query.path ?? '' }
        return query.ref === undefined ? showRefs(context, visit, repo, question) : goToRef(context, visit, repo, query.ref, question)
      },
      { repo: 'code:read', params: RepoParams, query: RefsQuery, detail: { hide: true } },
    )
    .use(gate(context, 'either'))
    .get(
      '/:owner/:repo/commit/*',
      ({ viewer, repo, request, server, params, query }) =>
        showCommit(context, new Visit(context, viewer, request), repo, { name: decodePath(params['*']), query, peer: { request, server } }),
      {
        repo: 'code:read',
        params: t.Object({ ...RepoParams.properties, '*': t.String() }),
        query: t.Object({ ...ChangesQuery.properties, checks: LogQuery.properties.page }),
        detail: { hide: true },
      },
    )
}

/** @throws NotFound for what is no place in a history */
function cursorIn({ after, front }: { after?: string | undefined; front?: string | undefined }): LogCursor | undefined {
  if (after === undefined) return undefined
  const cursor = parseCursor(after, front)
  if (!cursor) throw new NotFound()
  return cursor
}
