import { Elysia } from 'elysia'
import { Answers, gate, isSiteAdmin, lineOf, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { makeToken, showTokens } from './answer-tokens.ts'
import { changeOwnPassword } from './change-password.ts'
import { deleteToken } from './change-tokens.ts'
import { currentToken } from './current-token-routes.ts'
import { editSettings } from './edit-settings.ts'
import { emails } from './email-routes.ts'
import { viewpointOf } from './rules.ts'
import * as schema from './schema.ts'
import { listPeople } from './store.ts'
import { presentSettings, presentUser } from './view.ts'

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
      detail: operation('userGetCurrent', 'Get the authenticated user', 'user'),
    })
    .get('/user/settings', ({ viewer }) => presentSettings(viewer.user), {
      signedIn: 'user',
      response: { 200: schema.UserSettings },
      detail: operation('getUserSettings', 'Get user settings', 'user'),
    })
    .patch('/user/settings', ({ viewer, body }) => presentSettings(editSettings(context, viewer.user, body)), {
      signedIn: 'user',
      body: schema.UserSettingsOptions,
      response: { 200: schema.UserSettings },
      detail: operation('updateUserSettings', 'Update user settings', 'user'),
    })
    .post('/user/password', ({ viewer, body }) => changeOwnPassword(context, viewer.user, body.password), {
      passwordHolder: 'user',
      body: schema.ChangePasswordOption,
      response: noContent,
      detail: operation('userChangePassword', 'Change the password; also allowed for an account that must change its password', 'user'),
    })
}

function others(context: Context) {
  const answers = context.services.get(Answers)
  return new Elysia({ name: 'users.others' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/search',
      async ({ viewer, query, page, total }) => {
        const found = await listPeople(
          context.db,
          lineOf(viewer),
          {
            keyword: query.q?.trim(),
            id: rowIdIn(query.uid) || undefined,
            byEmail: isSiteAdmin(viewer) ? 'all' : viewer.user ? 'shown' : undefined,
            seenBy: viewpointOf(viewer),
          },
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
        detail: operation('userSearch', 'Search for users', 'user'),
      },
    )
    .get('/users/:username', ({ viewer, person, request, set }) => answers.keep({ viewer, request, set }, () => presentUser(context, viewer, person)), {
      person: 'visibleOrOrg',
      response: { 200: schema.User },
      detail: operation('userGet', 'Get a user', 'user'),
    })
}

/** All three want a password: a token that could make or remove tokens would be worth more than its scopes. */
function tokens(context: Context) {
  return new Elysia({ name: 'users.tokens' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/:username/tokens',
      async ({ viewer, person, page, total }) => {
        const found = await showTokens(context.db, viewer, person, page)
        total(found.total)
        return found.tokens
      },
      {
        person: 'selfByPassword',
        list: true,
        query: PageQuery,
        response: { 200: schema.AccessTokenList },
        detail: operation('userGetTokens', "List the authenticated user's access tokens", 'user'),
      },
    )
    .post('/users/:username/tokens', ({ person, body }) => makeToken(context, person, body), {
      person: 'selfByPassword',
      body: schema.CreateAccessTokenOption,
      response: { 201: schema.AccessToken },
      detail: operation('userCreateToken', 'Create an access token', 'user'),
    })
    .delete('/users/:username/tokens/:token', ({ person, params }) => deleteToken(context, person, params.token), {
      person: 'selfByPassword',
      response: noContent,
      detail: operation('userDeleteAccessToken', 'delete an access token', 'user'),
    })
}
