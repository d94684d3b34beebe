import { Elysia, t } from 'elysia'
import { gate, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { AccessToken, AccessTokenList, CreateAccessTokenOption, deleteToken, makeToken, showTokens } from '#people/users/index.ts'
import { getTargetPerson, Username } from './people.ts'

/** The tokens of others. As in Forgejo a token may manage them, but it makes none that can do more than it can itself. */
export function tokensOfOthers(context: Context) {
  return new Elysia({ name: 'admin.tokens' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/users/:username/tokens',
      async ({ viewer, params, page, total, request }) => {
        const found = await showTokens(context.db, viewer, getTargetPerson(context.db, { viewer, params, request }), page)
        total(found.total)
        return found.tokens
      },
      {
        siteAdmin: 'admin',
        list: true,
        params: Username,
        query: PageQuery,
        response: { 200: AccessTokenList },
        detail: operation('adminListUserAccessTokens', "List a user's access tokens", 'admin'),
      },
    )
    .post(
      '/admin/users/:username/tokens',
      ({ viewer, params, body, request }) => makeToken(context, getTargetPerson(context.db, { viewer, params, request }), body, viewer.grant),
      {
        siteAdmin: 'admin',
        params: Username,
        body: CreateAccessTokenOption,
        response: { 201: AccessToken },
        detail: operation('adminCreateUserAccessToken', 'Create an access token for a user', 'admin'),
      },
    )
    .delete(
      '/admin/users/:username/tokens/:token',
      ({ viewer, params, request }) => deleteToken(context, getTargetPerson(context.db, { viewer, params, request }), params.token),
      {
        siteAdmin: 'admin',
        params: t.Object({ ...Username.properties, token: t.String({ description: 'token to delete, by id or name' }) }),
        response: noContent,
        detail: operation('adminDeleteUserAccessToken', 'Delete an access token of a user', 'admin'),
      },
    )
}
