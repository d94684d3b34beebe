import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addPrincipal, deletePrincipal } from './change-principals.ts'
import { findPrincipalOf, listPrincipals } from './principals-store.ts'
import { CreatePrincipalOption, Principal, PrincipalList } from './schema.ts'
import { presentPrincipal } from './view.ts'

const PrincipalParams = t.Object({ id: IdText('ID of the principal') })

/** The names by which SSH certificates speak of people. */
export function principals(context: Context) {
  return new Elysia({ name: 'keys.principals' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/principals',
      ({ viewer, page, total }) => {
        const found = listPrincipals(context.db, viewer.user.id, page)
        total(found.total)
        return found.rows.map(presentPrincipal)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: PrincipalList },
        detail: operation('userCurrentListPrincipals', "List the authenticated user's SSH certificate principals", 'user'),
      },
    )
    .post('/user/principals', ({ viewer, body }) => presentPrincipal(addPrincipal(context, viewer.user, body.name)), {
      signedIn: 'user',
      body: CreatePrincipalOption,
      response: { 201: Principal },
      detail: operation('userCurrentPostPrincipal', 'Add an SSH certificate principal to the authenticated user', 'user'),
    })
    .get(
      '/user/principals/:id',
      ({ viewer, params }) => {
        const row = findPrincipalOf(context.db, viewer.user.id, rowIdIn(params.id))
        if (!row) throw new NotFound()
        return presentPrincipal(row)
      },
      {
        signedIn: 'user',
        params: PrincipalParams,
        response: { 200: Principal },
        detail: operation('userCurrentGetPrincipal', 'Get an SSH certificate principal of the authenticated user', 'user'),
      },
    )
    .delete('/user/principals/:id', ({ viewer, params }) => deletePrincipal(context, viewer.user, rowIdIn(params.id)), {
      signedIn: 'user',
      params: PrincipalParams,
      response: noContent,
      detail: operation('userCurrentDeletePrincipal', 'Delete an SSH certificate principal of the authenticated user', 'user'),
    })
}
