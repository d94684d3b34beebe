import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { hookHandlers } from './hook-handlers.ts'
import { CreateHookOption, EditHookOption, Hook, HookList } from './schema.ts'
import { ofOwner } from './store.ts'

const HookParams = t.Object({ id: IdText('ID of the hook') })

/** Hooks of a person: they are told of all repositories that person owns. */
export function userHooks(context: Context) {
  const hooks = hookHandlers(context)
  return new Elysia({ name: 'webhooks.user' })
    .use(gate(context))
    .use(paging(context))
    .get('/user/hooks', ({ viewer, page, total }) => hooks.list(ofOwner(viewer.user.id), { page, total }), {
      signedIn: 'user',
      list: true,
      query: PageQuery,
      response: { 200: HookList },
      detail: operation('userListHooks', "List the authenticated user's webhooks", 'user'),
    })
    .post('/user/hooks', ({ viewer, body }) => hooks.create(ofOwner(viewer.user.id), viewer, body), {
      signedIn: 'user',
      body: CreateHookOption,
      response: { 201: Hook },
      detail: operation('userCreateHook', 'Create a hook', 'user'),
    })
    .get('/user/hooks/:id', ({ viewer, params }) => hooks.get(ofOwner(viewer.user.id), params.id), {
      signedIn: 'user',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('userGetHook', 'Get a hook', 'user'),
    })
    .patch('/user/hooks/:id', ({ viewer, params, body }) => hooks.edit(ofOwner(viewer.user.id), viewer, params.id, body), {
      signedIn: 'user',
      params: HookParams,
      body: EditHookOption,
      response: { 200: Hook },
      detail: operation('userEditHook', 'Update a hook', 'user'),
    })
    .delete('/user/hooks/:id', ({ viewer, params }) => hooks.delete(ofOwner(viewer.user.id), params.id), {
      signedIn: 'user',
      params: HookParams,
      response: noContent,
      detail: operation('userDeleteHook', 'Delete a hook', 'user'),
    })
}
