import { Elysia, t } from 'elysia'
import { gate, operation, paging, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { getCommitByRef, getNamedCommit } from '#repositories/refs/index.ts'
import { listCommits } from './list-commits.ts'
import { noteRoutes } from './note-routes.ts'
import { objectRoutes } from './object-routes.ts'
import { oldPageHeaders } from './old-page-headers.ts'
import { presentCommits, presentOne } from './present-commits.ts'
import { Commit, CommitList, CommitsQuery, DetailsQuery } from './schema.ts'
import { parsePatchName, serveCommit } from './serve-patch.ts'

/** Commits, and git's objects and refs as they are. */
export function commits(context: Context) {
  return new Elysia({ name: 'commits' })
    .use(gate(context))
    .use(paging(context))
    .use(objectRoutes(context))
    .use(noteRoutes(context))
    .get(
      '/repos/:owner/:repo/commits',
      async ({ viewer, repo, query, page, total, set }) => {
        const found = await listCommits(context, repo, query, page)
        total(found.total)
        Object.assign(set.headers, oldPageHeaders(page, found.total))
        return presentCommits(context, viewer, repo, found.commits, query)
      },
      {
        repo: 'code:read',
        list: true,
        params: RepoParams,
        query: CommitsQuery,
        response: { 200: CommitList },
        detail: { ...operation('repoGetAllCommits', 'Get a list of all commits from a repository', 'repository'), errors: [409] },
      },
    )
    .get(
      '/repos/:owner/:repo/git/commits/:sha',
      async ({ viewer, repo, query, params, request, server }) => {
        const asText = parsePatchName(params.sha)
        // A `Response` goes out as it is, whatever the declared record.
        if (asText) return (await serveCommit(context, repo, await getNamedCommit(context, repo.row, asText.name), asText.form, { request, server })) as never
        return presentOne(context, viewer, repo, await getCommitByRef(context, repo.row, params.sha), query)
      },
      {
        repo: 'code:read',
        params: t.Object({ ...RepoParams.properties, sha: t.String({ description: 'a git ref or commit sha' }) }),
        query: DetailsQuery,
        response: { 200: Commit },
        detail: operation('repoGetSingleCommit', 'Get a single commit from a repository', 'repository'),
      },
    )
    .get(
      '/repos/:owner/:repo/git/commits/*',
      async ({ repo, params, request, server }) => {
        const asText = parsePatchName(decodePath(params['*']))
        if (!asText) throw new NotFound()
        return serveCommit(context, repo, await getNamedCommit(context, repo.row, asText.name), asText.form, { request, server })
      },
      {
        repo: 'code:read',
        // A name without a slash is answered above.
        params: t.Object({ ...RepoParams.properties, '*': t.String({ title: 'sha.diffType', description: 'a git ref or commit, then .diff or .patch' }) }),
        detail: { ...operation('repoDownloadCommitDiffOrPatch', "Get a commit's diff or patch", 'repository'), produces: ['text/plain'] },
      },
    )
}
