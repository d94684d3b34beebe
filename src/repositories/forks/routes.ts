import { Elysia } from 'elysia'
import { gate, operation, PageQuery, paging, RepoParams, refuseHiding, refuseMaking, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { presentRepoRow, presentRepoRows, Repository, RepositoryList } from '#repositories/repos/index.ts'
import { getForkOwner } from './fork-owner.ts'
import { forkRepo } from './fork-repo.ts'
import { CreateForkOption } from './schema.ts'
import { listForks } from './store.ts'
import { syncing } from './sync-routes.ts'

/** Repositories made from others. */
export function forks(context: Context) {
  return new Elysia({ name: 'forks' })
    .use(gate(context))
    .use(paging(context))
    .use(syncing(context))
    .get(
      '/repos/:owner/:repo/forks',
      async ({ viewer, repo, page, total }) => {
        const found = await listForks(context.db, viewer, repo.row.id, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        repo: 'code:read',
        list: true,
        params: RepoParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('listForks', "List a repository's forks", 'repository'),
      },
    )
    .post(
      '/repos/:owner/:repo/forks',
      async ({ viewer: asker, repo, body }) => {
        const viewer = requireUser(asker)
        refuseHiding(viewer, repo.row.is_private === 1)
        refuseMaking(viewer)
        const fork = await forkRepo(context, { viewer, base: repo, owner: getForkOwner(context, viewer, body.organization), name: body.name || repo.row.name })
        return presentRepoRow(context, viewer, fork)
      },
      {
        repo: 'code:read',
        params: RepoParams,
        body: CreateForkOption,
        response: { 202: Repository },
        detail: { ...operation('createFork', 'Fork a repository', 'repository'), errors: [409] },
      },
    )
}
