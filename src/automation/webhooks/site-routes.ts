import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { hookHandlers } from './hook-handlers.ts'
import { CreateHookOption, EditHookOption, Hook, HookList, SiteHooksQuery } from './schema.ts'
import { ofSite } from './store.ts'

const HookParams = t.Object({ id: IdText('ID of the hook') })

/** Hooks of the site: told of everything, or (`config.is_system_webhook` not true) models that new repositories get a copy of. */
export function siteHooks(context: Context) {
  const hooks = hookHandlers(context)
  return new Elysia({ name: 'webhooks.site' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/hooks',
      ({ query, page, total }) => {
        const isSystem = query.type === 'all' ? undefined : query.type !== 'default'
        return hooks.list(ofSite, { page, total }, isSystem)
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: SiteHooksQuery,
        response: { 200: HookList },
        detail: operation('adminListHooks', "List system's webhooks", 'admin'),
      },
    )
    .post('/admin/hooks', ({ viewer, body }) => hooks.create(ofSite, viewer, body), {
      siteAdmin: 'admin',
      body: CreateHookOption,
      response: { 201: Hook },
      detail: operation('adminCreateHook', 'Create a hook', 'admin'),
    })
    .get('/admin/hooks/:id', ({ params }) => hooks.get(ofSite, params.id), {
      siteAdmin: 'admin',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('adminGetHook', 'Get a hook', 'admin'),
    })
    .patch('/admin/hooks/:id', ({ viewer, params, body }) => hooks.edit(ofSite, viewer, params.id, body), {
      siteAdmin: 'admin',
      params: HookParams,
      body: EditHookOption,
      response: { 200: Hook },
      detail: operation('adminEditHook', 'Update a hook', 'admin'),
    })
    .delete('/admin/hooks/:id', ({ params }) => hooks.delete(ofSite, params.id), {
      siteAdmin: 'admin',
      params: HookParams,
      response: noContent,
      detail: operation('adminDeleteHook', 'Delete a hook', 'admin'),
    })
}
