import { Elysia, t } from 'elysia'
import { gate, type RepoAccess, RepoParams } from '#access/index.ts'
import { getRefPath, isRefKind, type RefPath, redirectToPlace } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { seeOther, Visit } from '#web/index.ts'
import { showBlame } from './blame.tsx'
import { editPages } from './edit-pages.ts'
import { showFinder } from './find-page.tsx'
import { serveLines } from './raw-lines.ts'
import { serveRaw } from './serve-raw.ts'
import { showPlace } from './show.tsx'

/** Parameters of an address with one part after the page's name: a ref, or a path on the default branch. */
const RefParams = t.Object({ ...RepoParams.properties, kind: t.String() })
const PlaceParams = t.Object({ ...RepoParams.properties, kind: t.String(), '*': t.String() })

const Word = t.Optional(t.String({ maxLength: 20 }))
const PlaceQuery = t.Object({ page: Word, last: Word, fragment: Word, display: Word, lines: Word, pick: Word })
const RawQuery = t.Object({ lines: Word })

/** A repository's files for people: directories, files, and who wrote which line. */
export function contentPages(context: Context) {
  return new Elysia({ name: 'contents.pages' })
    .use(rawPages(context))
    .use(otherAddresses(context))
    .use(editPages(context))
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/blame/:kind/*',
      async ({ viewer, repo, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        if (!isRefKind(params.kind)) return redirectToPlace(context, visit, repo, 'blame', `${params.kind}/${params['*']}`)
        const place = await getRefPath(context, repo, params.kind, params['*'])
        return showBlame(context, visit, repo, place, { isBypassing: query['bypass-blame-ignore'] === 'true' })
      },
      { repo: 'code:read', params: PlaceParams, query: t.Object({ 'bypass-blame-ignore': Word }), detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/find/:kind/*',
      async ({ viewer, repo, request, params, query }) =>
        showFinder(context, new Visit(context, viewer, request), repo, await getRefPath(context, repo, params.kind, params['*']), query.q ?? ''),
      { repo: 'code:read', params: PlaceParams, query: t.Object({ q: t.Optional(t.String({ maxLength: 200 })) }), detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/src/:kind/*',
      async ({ viewer, repo, request, params, query }) => {
        const visit = new Visit(context, viewer, request)
        if (!isRefKind(params.kind)) return redirectToPlace(context, visit, repo, 'src', `${params.kind}/${params['*']}`)
        return showPlace(context, visit, repo, await getRefPath(context, repo, params.kind, params['*']), query)
      },
      { repo: 'code:read', params: PlaceParams, query: PlaceQuery, detail: { hide: true } },
    )
}

/** Where other forges, and Gitea long ago, have directories and files: links in texts that came from there lead to the same place here. */
function otherAddresses(context: Context) {
  const terms = { repo: 'code:read', params: t.Object({ ...RepoParams.properties, '*': t.String() }), detail: { hide: true } } as const
  const refTerms = { ...terms, params: RefParams } as const
  return new Elysia({ name: 'contents.other-addresses' })
    .use(gate(context, 'page'))
    .get(
      '/:owner/:repo/tree/*',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'src', params['*']),
      terms,
    )
    .get(
      '/:owner/:repo/blob/*',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'src', params['*']),
      terms,
    )
    .get(
      '/:owner/:repo/src/:kind',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'src', params.kind),
      refTerms,
    )
    .get('/:owner/:repo/src', ({ viewer, repo, request }) => seeOther(new Visit(context, viewer, request).to`/${repo.owner.name}/${repo.row.name}`), {
      ...terms,
      params: RepoParams,
    })
}

/** Files as they are, for browsers and programs. */
function rawPages(context: Context) {
  const refTerms = { repo: 'code:read', params: RefParams, detail: { hide: true } } as const
  type Asked = Pick<Parameters<typeof serveRaw>[2], 'request' | 'server'>
  const serve = (repo: RepoAccess, place: RefPath, { request, server }: Asked) =>
    serveRaw(context, repo, { path: place.path, ref: place.commit, request, server })
  return new Elysia({ name: 'contents.raw-pages' })
    .use(gate(context, 'either'))
    .get(
      '/:owner/:repo/raw/:kind/*',
      async ({ viewer, repo, request, server, params, query }) => {
        if (!isRefKind(params.kind)) return redirectToPlace(context, new Visit(context, viewer, request), repo, 'raw', `${params.kind}/${params['*']}`)
        const place = await getRefPath(context, repo, params.kind, params['*'])
        return query.lines === undefined ? serve(repo, place, { request, server }) : serveLines(context, repo, place, query.lines)
      },
      { repo: 'code:read', params: PlaceParams, query: RawQuery, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/media/:kind/*',
      async ({ viewer, repo, request, server, params }) => {
        if (!isRefKind(params.kind)) return redirectToPlace(context, new Visit(context, viewer, request), repo, 'media', `${params.kind}/${params['*']}`)
        return serve(repo, await getRefPath(context, repo, params.kind, params['*']), { request, server })
      },
      { repo: 'code:read', params: PlaceParams, detail: { hide: true } },
    )
    .get(
      '/:owner/:repo/raw/:kind',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'raw', params.kind),
      refTerms,
    )
    .get(
      '/:owner/:repo/media/:kind',
      ({ viewer, repo, request, params }) => redirectToPlace(context, new Visit(context, viewer, request), repo, 'media', params.kind),
      refTerms,
    )
}
