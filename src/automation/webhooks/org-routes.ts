import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, OrgParams, operation, PageQuery, paging, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { hookHandlers } from './hook-handlers.ts'
import { CreateHookOption, EditHookOption, Hook, HookList } from './schema.ts'
import { ofOwner } from './store.ts'

const HookParams = t.Object({ ...OrgParams.properties, id: IdText('ID of the hook') })

/** Hooks of an organization: they are told of all its repositories. Each path is taken with a slash at its end too. */
export function orgHooks(context: Context) {
  const hooks = hookHandlers(context)
  return new Elysia({ name: 'webhooks.org' })
    .use(gate(context))
    .use(paging(context))
    .get('/orgs/:org/hooks', ({ org, page, total }) => hooks.list(ofOwner(org.row.id), { page, total }), {
      org: 'owner',
      list: true,
      params: OrgParams,
      query: PageQuery,
      response: { 200: HookList },
      detail: operation('orgListHooks', "List an organization's webhooks", 'organization'),
    })
    .post('/orgs/:org/hooks', ({ viewer, org, body }) => hooks.create(ofOwner(org.row.id), requireUser(viewer), body), {
      org: 'owner',
      params: OrgParams,
      body: CreateHookOption,
      response: { 201: Hook },
      detail: operation('orgCreateHook', 'Create a hook', 'organization'),
    })
    .get('/orgs/:org/hooks/:id', ({ org, params }) => hooks.get(ofOwner(org.row.id), params.id), {
      org: 'owner',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('orgGetHook', 'Get a hook', 'organization'),
    })
    .patch('/orgs/:org/hooks/:id', ({ viewer, org, params, body }) => hooks.edit(ofOwner(org.row.id), requireUser(viewer), params.id, body), {
      org: 'owner',
      params: HookParams,
      body: EditHookOption,
      response: { 200: Hook },
      detail: operation('orgEditHook', 'Update a hook', 'organization'),
    })
    .delete('/orgs/:org/hooks/:id', ({ org, params }) => hooks.delete(ofOwner(org.row.id), params.id), {
      org: 'owner',
      params: HookParams,
      response: noContent,
      detail: operation('orgDeleteHook', 'Delete a hook', 'organization'),
    })
}
