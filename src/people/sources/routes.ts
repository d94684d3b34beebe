import { Elysia } from 'elysia'
import { gate, noContent, operation, PageQuery, paging, recheckAccount } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addSource, deleteSource, editSource, getSourceRow } from './change-sources.ts'
import { AuthSource, AuthSourceList, AuthSourceTest, CreateAuthSourceOption, EditAuthSourceOption, SourceParams, TestAuthSourceOption } from './schema.ts'
import { getSource } from './source.ts'
import { listSourceRows } from './store.ts'
import { testSource } from './test-source.ts'
import { presentSource } from './view.ts'

/** Where people sign in who have no password here. Gitea has no operations for that: these are our own. */
export function sources(context: Context) {
  return new Elysia({ name: 'sources' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/auths',
      ({ page, total }) => {
        const rows = listSourceRows(context.db)
        total(rows.length)
        return rows.slice(page.offset, page.offset + page.limit).map((row) => presentSource(context, row))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: PageQuery,
        response: { 200: AuthSourceList },
        detail: operation('adminListAuthSources', 'List authentication sources', 'admin'),
      },
    )
    .post(
      '/admin/auths',
      ({ viewer, body }) =>
        context.db.tx((tx) => {
          recheckAccount(tx, viewer.user)
          return presentSource(context, addSource(context, body))
        }),
      {
        siteAdmin: 'admin',
        body: CreateAuthSourceOption,
        response: { 201: AuthSource },
        detail: operation('adminCreateAuthSource', 'Create an authentication source', 'admin'),
      },
    )
    .get('/admin/auths/:id', ({ params }) => presentSource(context, getSourceRow(context.db, rowIdIn(params.id))), {
      siteAdmin: 'admin',
      params: SourceParams,
      response: { 200: AuthSource },
      detail: operation('adminGetAuthSource', 'Get an authentication source', 'admin'),
    })
    .patch(
      '/admin/auths/:id',
      ({ viewer, params, body }) =>
        context.db.tx((tx) => {
          recheckAccount(tx, viewer.user)
          return presentSource(context, editSource(context, rowIdIn(params.id), body))
        }),
      {
        siteAdmin: 'admin',
        params: SourceParams,
        body: EditAuthSourceOption,
        response: { 200: AuthSource },
        detail: operation('adminEditAuthSource', 'Edit an authentication source', 'admin'),
      },
    )
    .delete('/admin/auths/:id', ({ params }) => deleteSource(context, rowIdIn(params.id)), {
      siteAdmin: 'admin',
      params: SourceParams,
      response: noContent,
      detail: { ...operation('adminDeleteAuthSource', 'Delete an authentication source that no account uses', 'admin'), errors: [409] },
    })
    .post('/admin/auths/:id/test', ({ params, body }) => testSource(context, getSource(context, rowIdIn(params.id)), body), {
      siteAdmin: 'admin',
      params: SourceParams,
      body: TestAuthSourceOption,
      response: { 200: AuthSourceTest },
      detail: operation('adminTestAuthSource', 'Test an authentication source with its saved settings', 'admin'),
    })
}
