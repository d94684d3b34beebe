import { Elysia, t } from 'elysia'
import { gate, PageQuery, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Visit } from '#web/index.ts'
import { savePage, showEditPage, showNewPage } from './edit-forms.tsx'
import { serveWikiFile } from './serve-file.ts'
import { showList, showPage, showRevisions } from './show.tsx'

const MAX_FORM_BYTES = 4 * 1024 * 1024
const PageParams = t.Object({ ...RepoParams.properties, '*': t.String() })
const NewPageQuery = t.Object({ title: t.Optional(t.String({ maxLength: 255 })) })
const PageForm = t.Object({
  title: t.String({ maxLength: 255 }),
  content: t.String({ maxLength: 1024 * 1024 }),
  message: t.Optional(t.String({ maxLength: 65_536 })),
  action: t.Optional(t.String({ maxLength: 20 })),
})
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
      { repo: 'wiki:read', params: PageParams, query: Query, detail: { hide: true } },
    )
    .use(writing(context))
}

/** The forms that change pages. */
function writing(context: Context) {
  return new Elysia({ name: 'wiki.writing' })
    .use(gate(context, 'page'))
    .get('/:owner/:repo/wiki/_new', ({ viewer, repo, request, query }) => showNewPage(context, new Visit(context, viewer, request), repo, query.title), {
      repo: 'wiki:write',
      params: RepoParams,
      query: NewPageQuery,
      detail: { hide: true },
    })
    .get('/:owner/:repo/wiki/_edit/*', ({ viewer, repo, request, params }) => showEditPage(context, new Visit(context, viewer, request), repo, params['*']), {
      repo: 'wiki:write',
      params: PageParams,
      detail: { hide: true },
    })
    .post(
      '/:owner/:repo/wiki/_new',
      ({ viewer, repo, request, body }) => savePage(context, new Visit(context, viewer, request), { viewer: requireUser(viewer), repo }, body),
      { repo: 'wiki:write', params: RepoParams, body: PageForm, bodyLimit: MAX_FORM_BYTES, detail: { hide: true } },
    )
    .post(
      '/:owner/:repo/wiki/*',
      ({ viewer, repo, request, params, body }) =>
        savePage(context, new Visit(context, viewer, request), { viewer: requireUser(viewer), repo }, body, params['*']),
      { repo: 'wiki:write', params: PageParams, body: PageForm, bodyLimit: MAX_FORM_BYTES, detail: { hide: true } },
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
