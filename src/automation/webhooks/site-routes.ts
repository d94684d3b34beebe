import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import { CreateHookOption, EditHookOption, Hook, HookList, SiteHooksQuery } from './schema.ts'
import { countHooks, listHooks, ofSite } from './store.ts'
import { presentHook, presentHooks } from './view.ts'

const HookParams = t.Object({ id: IdText('id of the hook') })

/** Hooks of the site: told of everything, or (`config.is_system_webhook` not true) models that new repositories get a copy of. */
export function siteHooks(context: Context) {
  return new Elysia({ name: 'webhooks.site' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/hooks',
      ({ query, page, total }) => {
        const isSystem = query.type === 'all' ? undefined : query.type !== 'default'
        total(countHooks(context.db, ofSite, isSystem))
        return presentHooks(context.db, listHooks(context.db, ofSite, page, isSystem))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: SiteHooksQuery,
        response: { 200: HookList },
        detail: operation('adminListHooks', "List system's webhooks", 'admin'),
      },
    )
    .post(
      '/admin/hooks',
      ({ viewer, body }) => {
        const hook = createHook(context, viewer, ofSite, body)
        return presentHook(context.db, hook)
      },
      { siteAdmin: 'admin', body: CreateHookOption, response: { 201: Hook }, detail: operation('adminCreateHook', 'Create a hook', 'admin') },
    )
    .get('/admin/hooks/:id', ({ params }) => presentHook(context.db, getHook(context, ofSite, rowIdIn(params.id))), {
      siteAdmin: 'admin',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('adminGetHook', 'Get a hook', 'admin'),
    })
    .patch('/admin/hooks/:id', ({ viewer, params, body }) => presentHook(context.db, editHook(context, viewer, ofSite, rowIdIn(params.id), body)), {
      siteAdmin: 'admin',
      params: HookParams,
      body: EditHookOption,
      response: { 200: Hook },
      detail: operation('adminEditHook', 'Update a hook', 'admin'),
    })
    .delete('/admin/hooks/:id', ({ params }) => deleteHook(context, ofSite, rowIdIn(params.id)), {
      siteAdmin: 'admin',
      params: HookParams,
      response: noContent,
      detail: operation('adminDeleteHook', 'Delete a hook', 'admin'),
    })
}
