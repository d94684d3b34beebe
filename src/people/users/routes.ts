import { Elysia, t } from 'elysia'
import { accessStore, gate, isSiteAdmin, PageQuery, paging, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { changeOwnPassword } from './change-password.ts'
import { createToken, deleteToken } from './change-tokens.ts'
import { currentToken } from './current-token.ts'
import { editSettings } from './edit-settings.ts'
import { emails } from './emails.ts'
import * as schema from './schema.ts'
import { listPeople } from './store.ts'
import { presentSettings, presentToken, presentUser } from './view.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['user'] })

/** Accounts as they see themselves and each other, and their access tokens. */
export function users(context: Context) {
  return new Elysia({ name: 'users' }).use(self(context)).use(others(context)).use(tokens(context)).use(currentToken(context)).use(emails(context))
}

function self(context: Context) {
  return new Elysia({ name: 'users.self' })
    .use(gate(context))
    .get('/user', ({ viewer }) => presentUser(context, viewer, viewer.user), {
      signedIn: 'user',
      response: { 200: schema.User },
      detail: detail('userGetCurrent', 'Get the authenticated user'),
    })
    .get('/user/settings', ({ viewer }) => presentSettings(viewer.user), {
      signedIn: 'user',
      response: { 200: schema.UserSettings },
      detail: detail('getUserSettings', 'Get user settings'),
    })
    .patch('/user/settings', ({ viewer, body }) => presentSettings(editSettings(context, viewer.user, body)), {
      signedIn: 'user',
      body: schema.UserSettingsOptions,
      response: { 200: schema.UserSettings },
      detail: detail('updateUserSettings', 'Update user settings'),
    })
    .post(
      '/user/password',
      async ({ viewer, body, set }) => {
        await changeOwnPassword(context, viewer.user, body.password)
        set.status = 204
      },
      {
        passwordHolder: 'user',
        body: schema.ChangePasswordOption,
        response: { 204: t.Void() },
        detail: detail('userChangePassword', 'Change the password; what an account that must change it can do'),
      },
    )
}

function others(context: Context) {
  return new Elysia({ name: 'users.others' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/search',
      ({ viewer, query, page, total }) => {
        const found = listPeople(
          context.db,
          { keyword: query.q?.trim(), id: rowIdIn(query.uid) || undefined, byEmail: isSiteAdmin(viewer), seenBy: sightOf(viewer) },
          page,
        )
        total(found.total)
        return { ok: true, data: found.rows.map((row) => presentUser(context, viewer, row)) }
      },
      {
        anyone: 'user',
        list: true,
        query: schema.UserSearchQuery,
        response: { 200: schema.UserSearchResults },
        detail: detail('userSearch', 'Search for users'),
      },
    )
    .get('/users/:username', ({ viewer, person }) => presentUser(context, viewer, person), {
      person: 'visibleOrOrg',
      response: { 200: schema.User },
      detail: detail('userGet', 'Get a user'),
    })
}

/** All three want a password: a token that could make or remove tokens would be worth more than its scopes. */
function tokens(context: Context) {
  return new Elysia({ name: 'users.tokens' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/:username/tokens',
      ({ person, page, total }) => {
        total(accessStore.countTokens(context.db, person.id))
        return accessStore.listTokens(context.db, person.id, page.limit, page.offset).map((row) => presentToken(row))
      },
      {
        person: 'selfByPassword',
        list: true,
        query: PageQuery,
        response: { 200: schema.AccessTokenList },
        detail: detail('userGetTokens', "List the authenticated user's access tokens"),
      },
    )
    .post(
      '/users/:username/tokens',
      ({ person, body, set }) => {
        const { row, token } = createToken(context, person, body.name, body.scopes ?? [])
        set.status = 201
        return presentToken(row, token)
      },
      {
        person: 'selfByPassword',
        body: schema.CreateAccessTokenOption,
        response: { 201: schema.AccessToken },
        detail: detail('userCreateToken', 'Create an access token'),
      },
    )
    .delete(
      '/users/:username/tokens/:token',
      ({ person, params, set }) => {
        deleteToken(context, person, params.token)
        set.status = 204
      },
      { person: 'selfByPassword', response: { 204: t.Void() }, detail: detail('userDeleteAccessToken', 'delete an access token') },
    )
}

/** Whose eyes a list is filtered for. */
function sightOf(viewer: Viewer) {
  if (viewer.grant?.publicOnly) return undefined
  return isSiteAdmin(viewer) ? ('all' as const) : viewer.user
}
