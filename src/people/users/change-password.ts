import { accessStore, recheckAccount, type UserRow, verifyPassword } from '#access/index.ts'
import type { Row, Tx } from '#kernel/db.ts'
import { BadRequest, Unauthorized } from '#kernel/errors.ts'
import { hashNewPassword, type UserContext } from './create-user.ts'
import { updateUser } from './store.ts'

export interface ChangePasswordOptions {
  /** Whether the account must choose another at its next sign-in. */
  mustChange?: boolean
}

/** Gives the account a password, as an administrator does. @throws BadRequest when it is too short */
export function changePassword(context: UserContext, user: UserRow, password: string, options: ChangePasswordOptions = {}): Promise<void> {
  return store(context, user, password, { must_change_password: Number(options.mustChange === true) })
}

/**
 * The same by the account's holder, who must choose another than the present one.
 * @throws BadRequest; Unauthorized when an administrator gave the account another password meanwhile, or barred it
 */
export async function changeOwnPassword(context: UserContext, user: UserRow, password: string): Promise<void> {
  if (await verifyPassword(password, user.password_hash)) throw new BadRequest('The new password must differ from the present one.')
  await store(context, user, password, { must_change_password: 0 }, (tx) => {
    recheckAccount(tx, user)
    if (accessStore.findUserById(tx, user.id)?.password_hash !== user.password_hash) throw new Unauthorized('The password was changed meanwhile.')
  })
}

/** @param check before anything is stored, in the same transaction; hashing took its time */
async function store(context: UserContext, user: UserRow, password: string, flags: Row, check: (tx: Tx) => void = () => {}): Promise<void> {
  const password_hash = await hashNewPassword(context, password)
  context.db.tx((tx) => {
    check(tx)
    updateUser(tx, user.id, { password_hash, ...flags, updated_at: context.clock.seconds() })
  })
}
