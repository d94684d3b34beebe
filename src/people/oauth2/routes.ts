import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { createApplication, editApplication, getApplication, removeApplication, renewSecret } from './change-applications.ts'
import * as schema from './schema.ts'
import { listApplications } from './store.ts'
import { presentApplication } from './view.ts'

const ApplicationParams = t.Object({ id: IdText('ID of the application') })

/** Applications that the account has made, for people to let into their accounts. */
export function oauth2(context: Context) {
  return new Elysia({ name: 'oauth2' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/applications/oauth2',
      ({ viewer, page, total }) => {
        const found = listApplications(context.db, viewer.user, page)
        total(found.total)
        return found.rows.map((row) => presentApplication(row))
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: schema.OAuth2ApplicationList },
        detail: operation('userGetOAuth2Applications', "List the authenticated user's oauth2 applications", 'user'),
      },
    )
    .post(
      '/user/applications/oauth2',
      ({ viewer, body }) => {
        const { confidential_client = false, skip_secondary_authorization = false } = body
        const { row, secret } = createApplication(context, viewer.user, { ...body, confidential_client, skip_secondary_authorization })
        return presentApplication(row, secret)
      },
      {
        signedIn: 'user',
        body: schema.CreateOAuth2ApplicationOptions,
        response: { 201: schema.OAuth2Application },
        detail: { ...operation('userCreateOAuth2Application', 'Creates a new OAuth2 application', 'user'), errors: [400] },
      },
    )
    .get('/user/applications/oauth2/:id', ({ viewer, params }) => presentApplication(getApplication(context.db, viewer.user, rowIdIn(params.id))), {
      signedIn: 'user',
      params: ApplicationParams,
      response: { 200: schema.OAuth2Application },
      detail: operation('userGetOAuth2Application', 'Get an OAuth2 application', 'user'),
    })
    .patch(
      '/user/applications/oauth2/:id',
      ({ viewer, params, body }) => {
        const { id } = editApplication(context, viewer.user, rowIdIn(params.id), body)
        const { row, secret } = renewSecret(context, viewer.user, id)
        return presentApplication(row, secret)
      },
      {
        signedIn: 'user',
        params: ApplicationParams,
        body: schema.EditOAuth2ApplicationOptions,
        response: { 200: schema.OAuth2Application },
        detail: { ...operation('userUpdateOAuth2Application', 'Update an OAuth2 application; generates a new client secret', 'user'), errors: [400] },
      },
    )
    .delete('/user/applications/oauth2/:id', ({ viewer, params }) => removeApplication(context, viewer.user, rowIdIn(params.id)), {
      signedIn: 'user',
      params: ApplicationParams,
      response: noContent,
      detail: operation('userDeleteOAuth2Application', 'Delete an OAuth2 application', 'user'),
    })
}
