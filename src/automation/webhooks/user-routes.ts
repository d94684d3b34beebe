import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import { CreateHookOption, EditHookOption, Hook, HookList } from './schema.ts'
import { countHooks, listHooks, ofOwner } from './store.ts'
import { presentHook, presentHooks } from './view.ts'

const HookParams = t.Object({ id: IdText('id of the hook') })

/** Hooks of a person: they are told of all repositories that person owns. */
export function userHooks(context: Context) {
  return new Elysia({ name: 'webhooks.user' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/hooks',
      ({ viewer, page, total }) => {
        total(countHooks(context.db, ofOwner(viewer.user.id)))
        return presentHooks(context.db, listHooks(context.db, ofOwner(viewer.user.id), page))
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: HookList },
        detail: operation('userListHooks', "List the authenticated user's webhooks", 'user'),
      },
    )
    .post(
      '/user/hooks',
      ({ viewer, body }) => {
        const hook = createHook(context, viewer, ofOwner(viewer.user.id), body)
        return presentHook(context.db, hook)
      },
      { signedIn: 'user', body: CreateHookOption, response: { 201: Hook }, detail: operation('userCreateHook', 'Create a hook', 'user') },
    )
    .get('/user/hooks/:id', ({ viewer, params }) => presentHook(context.db, getHook(context, ofOwner(viewer.user.id), rowIdIn(params.id))), {
      signedIn: 'user',
      params: HookParams,
      response: { 200: Hook },
      detail: operation('userGetHook', 'Get a hook', 'user'),
    })
    .patch(
      '/user/hooks/:id',
      ({ viewer, params, body }) => presentHook(context.db, editHook(context, viewer, ofOwner(viewer.user.id), rowIdIn(params.id), body)),
      {
        signedIn: 'user',
        params: HookParams,
        body: EditHookOption,
        response: { 200: Hook },
        detail: operation('userEditHook', 'Update a hook', 'user'),
      },
    )
    .delete('/user/hooks/:id', ({ viewer, params }) => deleteHook(context, ofOwner(viewer.user.id), rowIdIn(params.id)), {
      signedIn: 'user',
      params: HookParams,
      response: noContent,
      detail: operation('userDeleteHook', 'Delete a hook', 'user'),
    })
}
