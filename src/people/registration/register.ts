import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { checkEmail, checkName, claimAccount, createUser, hashNewPassword, type NewUser } from '#people/users/index.ts'
import { mailActivation } from './mail-codes.ts'
import { activationOf, checkDomain, requireOpen } from './rules.ts'
import { insertSelfRegistration } from './store.ts'

/** What a person gives to get an account. */
export type Registration = Required<Pick<NewUser, 'username' | 'email' | 'password'>>

/**
 * Makes an account for whoever asks for one: active at once, or once its address is confirmed or an administrator says so.
 *
 * Where mail confirms addresses, nobody is told which addresses have an account: one that has gets a letter that says so, and an account is made
 * all the same, which nobody can activate.
 * @throws Forbidden while nobody can register; Unprocessable for a name or an address that cannot be had, and for a password that is too short
 */
export async function register(context: Context, asked: Registration): Promise<UserRow> {
  requireOpen(context)
  checkName(asked.username, context.config)
  checkEmail(asked.email)
  checkDomain(context.config, asked.email)
  const activation = activationOf(context.config)
  if (activation === 'none') return createUser(context, asked)
  if (activation === 'administrator') return createUser(context, { ...asked, isActive: false }, (tx, user) => noteRegistration(context, tx, user))
  const passwordHash = await hashNewPassword(context, asked.password)
  return context.db.tx((tx) => {
    const user = claimAccount(context, tx, asked, passwordHash)
    noteRegistration(context, tx, user)
    mailActivation(context, tx, user)
    return user
  })
}

function noteRegistration({ clock }: Pick<Context, 'clock'>, tx: Tx, user: UserRow): void {
  insertSelfRegistration(tx, user.id, clock.seconds())
}
