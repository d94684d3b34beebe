import { accessStore, recheckAccount, type UserRow, verifyPassword } from '#access/index.ts'
import type { Row, Tx } from '#kernel/db.ts'
import { Forbidden, Unauthorized, Unprocessable } from '#kernel/errors.ts'
import { hashNewPassword, type UserContext } from './create-user.ts'
import { updateUser } from './store.ts'

export interface ChangePasswordOptions {
  /** Whether the account must choose another at its next sign-in. */
  mustChange?: boolean
}

/** Gives the account a password, as an administrator does. @throws Unprocessable when it is too short; Forbidden when the account has its password elsewhere */
export async function changePassword(context: UserContext, user: UserRow, password: string, options: ChangePasswordOptions = {}): Promise<void> {
  refuseExternal(user)
  return store(context, user, password, { must_change_password: Number(options.mustChange === true) })
}

/**
 * The same by the account's holder, who must choose another than the present one.
 * @throws Unprocessable when it is too short or the present one; Forbidden when the account has its password elsewhere; Unauthorized when an administrator gave the account another password meanwhile, or barred it
 */
export async function changeOwnPassword(context: UserContext, user: UserRow, password: string): Promise<void> {
  refuseExternal(user)
  if (await verifyPassword(password, user.password_hash)) throw new Unprocessable('The new password must differ from the current one.')
  await store(context, user, password, { must_change_password: 0 }, (tx) => {
    recheckAccount(tx, user)
    if (accessStore.findUserById(tx, user.id)?.password_hash !== user.password_hash)
      throw new Unauthorized('The password was changed in the meantime. Try again with the current password.')
  })
}

/** @throws Forbidden when another source than this server knows the account's password */
function refuseExternal({ login_source }: Pick<UserRow, 'login_source'>): void {
  if (login_source !== 0) throw new Forbidden('This account signs in through an external authentication source. Change the password there.')
}

/** @param check before anything is stored, in the same transaction; hashing took its time */
async function store(context: UserContext, user: UserRow, password: string, flags: Row, check: (tx: Tx) => void = () => {}): Promise<void> {
  const password_hash = await hashNewPassword(context, password)
  context.db.tx((tx) => {
    check(tx)
    updateUser(tx, user.id, { password_hash, ...flags, updated_at: context.clock.seconds() })
  })
}
