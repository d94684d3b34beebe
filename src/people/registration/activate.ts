import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest, LinkOver, NotFound, Problem, Unauthorized } from '#kernel/errors.ts'
import { checkEmail, moveClaim, userStore } from '#people/users/index.ts'
import { getCode, mailActivation } from './mail-codes.ts'
import { checkDomain } from './rules.ts'
import { deleteCode, isSelfRegistered } from './store.ts'

/** Whom a link would activate. @throws NotFound */
export function findActivation(context: Pick<Context, 'config' | 'db' | 'clock'>, code: string): UserRow {
  return getCode(context, context.db, 'activate', code).user
}

/**
 * Activates an account for who brings the code from its mailbox and the password that was chosen: neither whose address it is nor who registered it
 * can do it alone.
 * @throws NotFound; Unauthorized for a wrong password; Problem 429
 */
export async function activate(context: Context, request: Request, code: string, password: string): Promise<UserRow> {
  const { user } = getCode(context, context.db, 'activate', code)
  const proven = await context.authenticator.provePassword(user.name, password, request)
  if (proven?.id !== user.id) throw new Unauthorized('Incorrect password.')
  return context.db.tx((tx) => {
    const { row } = getCode(context, tx, 'activate', code)
    if (accessStore.findUserByEmail(tx, user.email) || userStore.isEmailReserved(tx, user.email))
      throw new NotFound('This email address is already used by another account.')
    if (!deleteCode(tx, row.digest)) throw new LinkOver('This link was already used.')
    userStore.setPrimaryEmail(tx, user.id, user.email)
    userStore.updateUser(tx, user.id, { is_active: 1, hide_email: 0, updated_at: context.clock.seconds() })
    return accessStore.findUserById(tx, user.id) as UserRow
  })
}

interface AnotherMail {
  name: string
  password: string
  /** Empty: the one that was given. */
  email: string
}

/**
 * Mails the code once more, to another address if the first was mistyped.
 * @throws Unauthorized unless it is the password of an account that waits to be activated; Problem 429 while the last mail is too fresh
 */
export async function mailActivationAgain(context: Context, request: Request, asked: AnotherMail): Promise<void> {
  const found = await context.authenticator.provePassword(asked.name, asked.password, request)
  if (!found) throw new Unauthorized('Incorrect username or password.')
  if (asked.email !== '') {
    checkEmail(asked.email)
    checkDomain(context.config, asked.email)
  }
  context.db.tx((tx) => {
    const user = accessStore.findUserById(tx, found.id)
    if (user?.is_active !== 0 || !isSelfRegistered(tx, user.id))
      throw new BadRequest('This account cannot be activated by email. Sign in, or contact the site administrator.')
    const moved = asked.email === '' ? user : moveClaim(tx, user, asked.email)
    if (!mailActivation(context, tx, moved))
      throw new Problem(429, 'An activation email was sent recently. Wait a few minutes before you request another one.', { headers: { 'Retry-After': '180' } })
  })
}
