import { Elysia, t } from 'elysia'
import { gate, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath, flagIn } from '#kernel/http.ts'
import { oneOf } from '#kernel/schema.ts'
import { getPull, listPinned } from '#work/issues/index.ts'
import { askCodeOwners } from '#work/reviews/index.ts'
import { changeRoutes, FilesQuery } from './change-routes.ts'
import { createPull } from './create-pull.ts'
import { editPull } from './edit-pull.ts'
import { findPulls, getPullBetween, getPullMergedAs, getPullRow } from './find-pull.ts'
import { mergeRoutes } from './merge-routes.ts'
import { BranchesParams, CreatePullRequestOption, EditPullRequestOption, PullParams, PullRequest, PullRequestList, PullsQuery } from './schema.ts'
import { serveText } from './serve-changes.ts'
import { awaitPushes } from './take-pushes.ts'
import { presentPull, presentPulls } from './view.ts'

const TextQuery = t.Object({
  binary: t.Optional(t.String({ documentedAs: 'boolean', description: 'whether to include binary file changes' })),
  whitespace: FilesQuery.properties.whitespace,
})

/** Pull requests of a repository. */
export function pulls(context: Context) {
  return new Elysia({ name: 'pulls' })
    .use(gate(context))
    .use(paging(context))
    .use(changeRoutes(context))
    .use(mergeRoutes(context))
    .get(
      '/repos/:owner/:repo/pulls',
      async ({ viewer, repo, query, page, total }) => {
        const found = findPulls(context, viewer, repo, query, page)
        total(found.total)
        return presentPulls(context, viewer, repo, found.rows)
      },
      {
        repo: 'pulls:read',
        list: true,
        params: RepoParams,
        query: PullsQuery,
        response: { 200: PullRequestList },
        detail: { ...operation('repoListPullRequests', "List a repo's pull requests", 'repository'), errors: [400] },
      },
    )
    .post('/repos/:owner/:repo/pulls', async ({ viewer, repo, body }) => presentPull(context, viewer, repo, await createPull(context, viewer, repo, body)), {
      repo: 'pulls:read',
      params: RepoParams,
      body: CreatePullRequestOption,
      response: { 201: PullRequest },
      detail: { ...operation('repoCreatePullRequest', 'Create a pull request', 'repository'), errors: [409] },
    })
    .get(
      '/repos/:owner/:repo/pulls/pinned',
      ({ viewer, repo }) => Promise.all(listPinned(context.db, repo.row.id, 1).map((issue) => presentPull(context, viewer, repo, issue))),
      {
        repo: 'pulls:read',
        params: RepoParams,
        response: { 200: PullRequestList },
        detail: operation('repoListPinnedPullRequests', "List a repo's pinned pull requests", 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/commits/:ref/pull',
      ({ viewer, repo, params }) => presentPull(context, viewer, repo, getPullMergedAs(context, repo, params.ref)),
      {
        repo: 'pulls:read',
        params: t.Object({ ...RepoParams.properties, ref: t.String({ title: 'sha', description: 'SHA of the merge commit' }) }),
        response: { 200: PullRequest },
        detail: operation('repoGetCommitPullRequest', 'Get the merged pull request of the commit', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index',
      async ({ viewer, repo, params, request, server, query }) => {
        const [, index = params.index, kind] = /^(\d+)\.(diff|patch)$/.exec(params.index) ?? []
        const issue = getPull(context, { viewer, repo, params: { index }, request })
        await awaitPushes(context, issue.id)
        if (kind === undefined) return presentPull(context, viewer, repo, issue)
        const form = { ...query, binary: flagIn(query.binary) ?? false, peer: { request, server } }
        return serveText(context, getPullRow(context.db, issue), kind === 'diff' ? 'diff' : 'patch', form)
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        query: TextQuery,
        response: { 200: t.Unsafe<PullRequest | Response>(PullRequest) },
        detail: {
          ...operation('repoGetPullRequest', 'Get a pull request', 'repository'),
          asText: {
            path: '/repos/:owner/:repo/pulls/:index.:diffType',
            params: t.Object({ ...PullParams.properties, diffType: oneOf(['diff', 'patch']) }),
            detail: {
              ...operation('repoDownloadPullDiffOrPatch', 'Get the changes of a pull request as a diff or patch', 'repository'),
              produces: ['text/plain'],
            },
          },
        },
      },
    )
    .patch(
      '/repos/:owner/:repo/pulls/:index',
      async ({ viewer, repo, params, request, body }) => {
        const issue = editPull(context, viewer, repo, getPull(context, { viewer, repo, params, request }), body)
        await askCodeOwners(context, issue.id)
        return presentPull(context, viewer, repo, issue)
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        body: EditPullRequestOption,
        response: { 201: PullRequest },
        detail: { ...operation('repoEditPullRequest', 'Update a pull request', 'repository'), errors: [409, 412] },
      },
    )
    .get(
      '/repos/:owner/:repo/pulls/:index/*',
      ({ viewer, repo, params }) => {
        const base = decodePath(params.index)
        const head = decodePath(params['*'])
        if (base === '' || head === '') throw new NotFound()
        return presentPull(context, viewer, repo, getPullBetween(context, viewer, repo, base, head))
      },
      {
        repo: 'pulls:read',
        params: BranchesParams,
        response: { 200: PullRequest },
        detail: operation('repoGetPullRequestByBaseHead', 'Get a pull request by base and head', 'repository'),
      },
    )
}
