import { Elysia } from 'elysia'
import { gate, noContent, operation, PageQuery, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { pageOfSize, parsePage, totalHeaders } from '#kernel/page.ts'
import { createPage, deletePage, editPage } from './change-pages.ts'
import { presentPage, presentPages, presentRevisions } from './read-pages.ts'
import { CreateWikiPageOptions, PageParams, RevisionsQuery, WikiCommitList, WikiPage, WikiPageList } from './schema.ts'

/** Entries on one page of the list, which Gitea does not bound. */
const MAX_PAGES = 1000
const REVISIONS = 50

/** A repository's wiki. What a path says of a page is its name, escaped by rules of its own: it is read as it came. */
export function wiki(context: Context) {
  const sizes = { defaultLimit: context.config.api.DEFAULT_PAGING_NUM, maxLimit: MAX_PAGES }
  return new Elysia({ name: 'wiki' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/wiki/pages',
      async ({ repo, query, set }) => {
        // One alone is no list, for Gitea.
        const { pages, total } = await presentPages(context, repo, parsePage(query.limit === '1' ? { page: query.page } : query, sizes))
        Object.assign(set.headers, totalHeaders(total))
        return pages
      },
      {
        repo: 'wiki:read',
        params: RepoParams,
        query: PageQuery,
        response: { 200: WikiPageList },
        detail: operation('repoGetWikiPages', 'Get all wiki pages', 'repository'),
      },
    )
    .get('/repos/:owner/:repo/wiki/page/*', ({ repo, params }) => presentPage(context, repo, params['*']), {
      repo: 'wiki:read',
      params: PageParams,
      response: { 200: WikiPage },
      detail: operation('repoGetWikiPage', 'Get a wiki page', 'repository'),
    })
    .get(
      '/repos/:owner/:repo/wiki/revisions/*',
      async ({ repo, params, query, set }) => {
        const found = await presentRevisions(context, repo, params['*'], pageOfSize(query.page, REVISIONS))
        Object.assign(set.headers, totalHeaders(found.count))
        return found
      },
      {
        repo: 'wiki:read',
        params: PageParams,
        query: RevisionsQuery,
        response: { 200: WikiCommitList },
        detail: operation('repoGetWikiPageRevisions', 'Get revisions of a wiki page', 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/wiki/new',
      async ({ viewer, repo, body }) => presentPage(context, repo, await createPage(context, { viewer: requireUser(viewer), repo }, body)),
      {
        repo: 'wiki:write',
        params: RepoParams,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: CreateWikiPageOptions,
        response: { 201: WikiPage },
        detail: { ...operation('repoCreateWikiPage', 'Create a wiki page', 'repository'), errors: [400, 409] },
      },
    )
    .patch(
      '/repos/:owner/:repo/wiki/page/*',
      async ({ viewer, repo, params, body }) => presentPage(context, repo, await editPage(context, { viewer: requireUser(viewer), repo }, params['*'], body)),
      {
        repo: 'wiki:write',
        params: PageParams,
        bodyLimit: context.config.api.MAX_BODY_SIZE,
        body: CreateWikiPageOptions,
        response: { 200: WikiPage },
        detail: { ...operation('repoEditWikiPage', 'Edit a wiki page', 'repository'), errors: [400, 409] },
      },
    )
    .delete('/repos/:owner/:repo/wiki/page/*', ({ viewer, repo, params }) => deletePage(context, { viewer: requireUser(viewer), repo }, params['*']), {
      repo: 'wiki:write',
      params: PageParams,
      response: noContent,
      detail: { ...operation('repoDeleteWikiPage', 'Delete a wiki page', 'repository'), errors: [409] },
    })
}
