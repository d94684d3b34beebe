import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, OrgParams, operation, PageQuery, paging, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import { CreateHookOption, EditHookOption, Hook, HookList } from './schema.ts'
import { countHooks, listHooks, ofOwner } from './store.ts'
import { presentHook, presentHooks } from './view.ts'

const HookParams = t.Object({ ...OrgParams.properties, id: IdText('id of the hook') })

/** Hooks of an organization: they are told of all its repositories. Each path is taken with a slash at its end too. */
export function orgHooks(context: Context) {
  return new Elysia({ name: 'webhooks.org' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/hooks',
      ({ org, page, total }) => {
        total(countHooks(context.db, ofOwner(org.row.id)))
        return presentHooks(context.db, listHooks(context.db, ofOwner(org.row.id), page))
      },
      {
        org: 'owner',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: HookList },
        detail: operation('orgListHooks', "List an organization's webhooks", 'organization'),
      },
    )
    .post(
      '/orgs/:org/hooks',
      ({ viewer, org, body }) => {
        const hook = createHook(context, requireUser(viewer), ofOwner(org.row.id), body)
        return presentHook(context.db, hook)
      },
      { org: 'owner', params: OrgParams, body: CreateHookOption, response: { 201: Hook }, detail: operation('orgCreateHook', 'Create a hook', 'organization') },
    )
    .get('/orgs/:org/hooks/:id', ({ org, params }) => presentHook(context.db, getHook(context, ofOwner(org.row.id), rowIdIn(params.id))), {
      org: 'owner',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('orgGetHook', 'Get a hook', 'organization'),
    })
    .patch(
      '/orgs/:org/hooks/:id',
      ({ viewer, org, params, body }) => presentHook(context.db, editHook(context, requireUser(viewer), ofOwner(org.row.id), rowIdIn(params.id), body)),
      {
        org: 'owner',
        params: HookParams,
        body: EditHookOption,
        response: { 200: Hook },
        detail: operation('orgEditHook', 'Update a hook', 'organization'),
      },
    )
    .delete('/orgs/:org/hooks/:id', ({ org, params }) => deleteHook(context, ofOwner(org.row.id), rowIdIn(params.id)), {
      org: 'owner',
      params: HookParams,
      response: noContent,
      detail: operation('orgDeleteHook', 'Delete a hook', 'organization'),
    })
}
