import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { getHook } from './change-hooks.ts'
import { hookHandlers } from './hook-handlers.ts'
import { CreateHookOption, EditHookOption, Hook, HookList, TestHookQuery } from './schema.ts'
import { ofRepo } from './store.ts'
import { testHook } from './test-hook.ts'

const HookParams = t.Object({ ...RepoParams.properties, id: IdText('ID of the hook') })

/** Hooks of one repository. */
export function repoHooks(context: Context) {
  const hooks = hookHandlers(context)
  return new Elysia({ name: 'webhooks.repo' })
    .use(gate(context))
    .use(paging(context))
    .get('/repos/:owner/:repo/hooks', ({ repo, page, total }) => hooks.list(ofRepo(repo.row.id), { page, total }), {
      repo: 'admin',
      list: true,
      params: RepoParams,
      query: PageQuery,
      response: { 200: HookList },
      detail: operation('repoListHooks', 'List the hooks in a repository', 'repository'),
    })
    .post('/repos/:owner/:repo/hooks', ({ viewer, repo, body }) => hooks.create(ofRepo(repo.row.id), requireUser(viewer), body), {
      repo: 'admin',
      params: RepoParams,
      body: CreateHookOption,
      response: { 201: Hook },
      detail: operation('repoCreateHook', 'Create a hook', 'repository'),
    })
    .get('/repos/:owner/:repo/hooks/:id', ({ repo, params }) => hooks.get(ofRepo(repo.row.id), params.id), {
      repo: 'admin',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('repoGetHook', 'Get a hook', 'repository'),
    })
    .patch('/repos/:owner/:repo/hooks/:id', ({ viewer, repo, params, body }) => hooks.edit(ofRepo(repo.row.id), requireUser(viewer), params.id, body), {
      repo: 'admin',
      params: HookParams,
      body: EditHookOption,
      response: { 200: Hook },
      detail: operation('repoEditHook', 'Edit a hook in a repository', 'repository'),
    })
    .delete('/repos/:owner/:repo/hooks/:id', ({ repo, params }) => hooks.delete(ofRepo(repo.row.id), params.id), {
      repo: 'admin',
      params: HookParams,
      response: noContent,
      detail: operation('repoDeleteHook', 'Delete a hook in a repository', 'repository'),
    })
    .post(
      '/repos/:owner/:repo/hooks/:id/tests',
      ({ viewer, repo, params, query }) =>
        testHook(context, requireUser(viewer).user, repo, getHook(context, ofRepo(repo.row.id), rowIdIn(params.id)), query.ref || undefined),
      { repo: 'admin', params: HookParams, query: TestHookQuery, response: noContent, detail: operation('repoTestHook', 'Test a push webhook', 'repository') },
    )
}
