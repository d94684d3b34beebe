import { Elysia, t } from 'elysia'
import { gate, PageQuery, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { serveWikiFile } from './serve-file.ts'
import { showList, showPage, showRevisions } from './show.tsx'

const Query = t.Object({ ...PageQuery.properties, action: t.Optional(t.String()) })

/** A repository's wiki for people, under Gitea's addresses. */
export function wikiPages(context: Context) {
  return new Elysia({ name: 'wiki.pages' })
    .use(rawFiles(context))
    .use(gate(context, 'page'))
    .get('/:owner/:repo/wiki', ({ viewer, repo, request }) => showPage(context, new Visit(context, viewer, request), repo, 'Home'), {
      repo: 'wiki:read',
      params: RepoParams,
      detail: { hide: true },
    })
    .get('/:owner/:repo/wiki/_pages', ({ viewer, repo, request, query }) => showList(context, new Visit(context, viewer, request), repo, query), {
      repo: 'wiki:read',
      params: RepoParams,
      query: PageQuery,
      detail: { hide: true },
    })
    .get(
      '/:owner/:repo/wiki/*',
      ({ viewer, repo, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        return query.action === '_revision' ? showRevisions(context, visit, repo, params['*'], query) : showPage(context, visit, repo, params['*'])
      },
      { repo: 'wiki:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), query: Query, detail: { hide: true } },
    )
}

/** Files as they are, for browsers and programs: pictures on pages, and pages before they are rendered. */
function rawFiles(context: Context) {
  return new Elysia({ name: 'wiki.raw' })
    .use(gate(context, 'either'))
    .get('/:owner/:repo/wiki/raw/*', ({ repo, request, server, params }) => serveWikiFile(context, repo, params['*'], request, server), {
      repo: 'wiki:read',
      params: t.Object({ ...RepoParams.properties, '*': t.String() }),
      detail: { hide: true },
    })
}
