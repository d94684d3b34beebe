import { type UserRow, verifyPassword } from '../access/index.ts'
import { BadRequest } from '../kernel/errors.ts'
import { hashNewPassword, type UserContext } from './create-user.ts'
import { updateUser } from './store.ts'

export interface ChangePasswordOptions {
  /** Whether the account must choose another at its next sign-in. */
  mustChange?: boolean
}

/** Gives the account a password, as an administrator does. @throws BadRequest when it is too short */
export async function changePassword(context: UserContext, user: UserRow, password: string, options: ChangePasswordOptions = {}): Promise<void> {
  const password_hash = await hashNewPassword(context, password)
  context.db.tx((tx) => {
    updateUser(tx, user.id, { password_hash, must_change_password: Number(options.mustChange === true), updated_at: context.clock.seconds() })
  })
}

/** The same by the account's holder, who must choose another than the present one. */
export async function changeOwnPassword(context: UserContext, user: UserRow, password: string): Promise<void> {
  if (await verifyPassword(password, user.password_hash)) throw new BadRequest('The new password must differ from the present one.')
  await changePassword(context, user, password)
}
