import { Elysia } from 'elysia'
import { accessStore, gate, type Member, noContent, operation, type TokenRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { CurrentAccessToken } from './schema.ts'
import { presentCurrentToken } from './view.ts'

/** The token that signs the request, as it may ask about itself and end itself, whatever its scopes. */
export function currentToken(context: Context) {
  return new Elysia({ name: 'users.current-token' })
    .use(gate(context))
    .get(
      '/token',
      ({ viewer }) => {
        const token = getToken(context, viewer)
        return presentCurrentToken(token, accessStore.findUserById(context.db, token.user_id) ?? viewer.user)
      },
      { signedIn: [], response: { 200: CurrentAccessToken }, detail: operation('getCurrentToken', 'Get the currently authenticated token', 'miscellaneous') },
    )
    .delete(
      '/token',
      ({ viewer }) => {
        const { id } = getToken(context, viewer)
        context.db.tx((tx) => accessStore.deleteToken(tx, id))
      },
      { signedIn: [], response: noContent, detail: operation('deleteCurrentToken', 'Delete the currently authenticated token', 'miscellaneous') },
    )
}

/** @throws NotFound when something else signs the request, a password say */
function getToken(context: Pick<Context, 'db'>, viewer: Member): TokenRow {
  const token = viewer.tokenId === undefined ? undefined : accessStore.findTokenById(context.db, viewer.tokenId)
  if (!token) throw new NotFound('invalid access token')
  return token
}
