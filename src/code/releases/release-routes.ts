import { Elysia } from 'elysia'
import { gate, noContent, operation, paging, type RepoAccess, RepoParams, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { decodePath, flagIn } from '#kernel/http.ts'
import { createRelease, deleteRelease, editRelease } from './change-releases.ts'
import { getRelease, getReleaseByTag, visibleOrAbsent } from './get-release.ts'
import { maySeeDrafts } from './rules.ts'
import { CreateReleaseOption, EditReleaseOption, type ReleasesQuery as Query, Release, ReleaseList, ReleaseParams, ReleasesQuery, TagParams } from './schema.ts'
import { findLatest, listReleases, type ReleaseFilter, type ReleaseRow } from './store.ts'
import { presentReleases } from './view.ts'

export function releaseRoutes(context: Context) {
  const present = (viewer: Viewer, repo: RepoAccess, row: ReleaseRow) => presentReleases(context, viewer, repo, [row])[0] as Release
  return new Elysia({ name: 'releases.themselves' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/releases',
      async ({ viewer, repo, query, page, total }) => {
        const found = await listReleases(context.db, viewer, repo.row.id, filterOf(query, maySeeDrafts(viewer, repo)), page)
        total(found.total)
        return presentReleases(context, viewer, repo, found.rows)
      },
      {
        repo: 'releases:read',
        list: true,
        params: RepoParams,
        query: ReleasesQuery,
        response: { 200: ReleaseList },
        detail: operation('repoListReleases', "List a repo's releases", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/releases',
      async ({ viewer, repo, body }) => present(viewer, repo, await createRelease(context, { viewer: requireUser(viewer), repo }, body)),
      {
        repo: 'releases:write',
        params: RepoParams,
        body: CreateReleaseOption,
        response: { 201: Release },
        detail: { ...operation('repoCreateRelease', 'Create a release', 'repository'), errors: [409] },
      },
    )
    .get(
      '/repos/:owner/:repo/releases/latest',
      ({ viewer, repo }) => present(viewer, repo, visibleOrAbsent({ viewer, repo }, findLatest(context.db, repo.row.id))),
      {
        repo: 'releases:read',
        params: RepoParams,
        response: { 200: Release },
        detail: operation('repoGetLatestRelease', 'Gets the most recent non-prerelease, non-draft release of a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/releases/tags/*',
      ({ viewer, repo, params }) => present(viewer, repo, getReleaseByTag(context, { viewer, repo }, decodePath(params['*']))),
      {
        repo: 'releases:read',
        params: TagParams,
        response: { 200: Release },
        detail: operation('repoGetReleaseByTag', 'Get a release by tag name', 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/releases/tags/*',
      ({ viewer, repo, params }) =>
        deleteRelease(context, { viewer: requireUser(viewer), repo }, getReleaseByTag(context, { viewer, repo }, decodePath(params['*']))),
      {
        repo: 'releases:write',
        params: TagParams,
        response: noContent,
        detail: operation('repoDeleteReleaseByTag', 'Delete a release by tag name', 'repository'),
      },
    )
    .get('/repos/:owner/:repo/releases/:id', (asked) => present(asked.viewer, asked.repo, getRelease(context, asked)), {
      repo: 'releases:read',
      params: ReleaseParams,
      response: { 200: Release },
      detail: operation('repoGetRelease', 'Get a release', 'repository'),
    })
    .patch(
      '/repos/:owner/:repo/releases/:id',
      async ({ body, ...asked }) => {
        const { viewer, repo } = asked
        return present(viewer, repo, await editRelease(context, { viewer: requireUser(viewer), repo }, getRelease(context, asked), body))
      },
      {
        repo: 'releases:write',
        params: ReleaseParams,
        body: EditReleaseOption,
        response: { 200: Release },
        detail: { ...operation('repoEditRelease', 'Update a release', 'repository'), errors: [409] },
      },
    )
    .delete(
      '/repos/:owner/:repo/releases/:id',
      (asked) => deleteRelease(context, { viewer: requireUser(asked.viewer), repo: asked.repo }, getRelease(context, asked)),
      {
        repo: 'releases:write',
        params: ReleaseParams,
        response: noContent,
        detail: operation('repoDeleteRelease', 'Delete a release', 'repository'),
      },
    )
}

function filterOf(query: Query, seesDrafts: boolean): ReleaseFilter {
  return { hidesDrafts: !seesDrafts, isDraft: flagIn(query.draft), isPrerelease: flagIn(query['pre-release']), text: query.q }
}
