import type { Static } from 'elysia'
import { type Member, recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { createUser } from '#people/users/index.ts'
import { refusePlace } from './edit-user.ts'
import type { CreateUserOption } from './schema.ts'
import { welcomeLetter } from './welcome.ts'

/**
 * Makes an account for somebody else, who must choose a password of their own first unless that is said otherwise.
 * @throws Unprocessable on names and addresses as `createUser` does; Unauthorized when the administrator's rights are gone meanwhile
 */
export function createAccount(context: Context, { user: actor }: Member, body: Static<typeof CreateUserOption>): Promise<UserRow> {
  const loginSource = body.source_id ?? 0
  const loginName = body.login_name || (loginSource === 0 ? '' : body.username)
  refusePlace(context.db, { sourceId: loginSource, loginName })
  const input = {
    username: body.username,
    email: body.email,
    // Whoever signs in elsewhere has their password there.
    password: loginSource === 0 ? body.password || undefined : undefined,
    fullName: body.full_name,
    isRestricted: body.restricted,
    mustChangePassword: loginSource === 0 && (body.must_change_password ?? true),
    loginSource,
    loginName,
    releasesName: true,
    visibility: body.visibility || undefined,
    createdAt: body.created_at === undefined ? undefined : Math.floor(Date.parse(body.created_at) / 1000),
  }
  return createUser(context, input, (tx, user) => {
    recheckAccount(tx, actor)
    if (body.send_notify) context.mail.queue(tx, user, welcomeLetter(context, user))
  })
}
