import { Elysia, t } from 'elysia'
import { gate, IdText, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createHook, deleteHook, editHook, getHook } from './change-hooks.ts'
import { CreateHookOption, EditHookOption, Hook, HookList } from './schema.ts'
import { countHooks, listHooks, ofOwner } from './store.ts'
import { presentHook, presentHooks } from './view.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['user'] })
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
        detail: detail('userListHooks', "List the authenticated user's webhooks"),
      },
    )
    .post(
      '/user/hooks',
      ({ viewer, body, set }) => {
        const hook = createHook(context, viewer, ofOwner(viewer.user.id), body)
        set.status = 201
        return presentHook(context.db, hook)
      },
      { signedIn: 'user', body: CreateHookOption, response: { 201: Hook }, detail: detail('userCreateHook', 'Create a hook') },
    )
    .get('/user/hooks/:id', ({ viewer, params }) => presentHook(context.db, getHook(context, ofOwner(viewer.user.id), rowIdIn(params.id))), {
      signedIn: 'user',
      params: HookParams,
      response: { 200: Hook },
      detail: detail('userGetHook', 'Get a hook'),
    })
    .patch(
      '/user/hooks/:id',
      ({ viewer, params, body }) => presentHook(context.db, editHook(context, viewer, ofOwner(viewer.user.id), rowIdIn(params.id), body)),
      {
        signedIn: 'user',
        params: HookParams,
        body: EditHookOption,
        response: { 200: Hook },
        detail: detail('userEditHook', 'Update a hook'),
      },
    )
    .delete(
      '/user/hooks/:id',
      ({ viewer, params, set }) => {
        deleteHook(context, ofOwner(viewer.user.id), rowIdIn(params.id))
        set.status = 204
      },
      { signedIn: 'user', params: HookParams, response: { 204: t.Void() }, detail: detail('userDeleteHook', 'Delete a hook') },
    )
}
