import type { Db } from '#kernel/db.ts'
import { Unauthorized } from '#kernel/errors.ts'
import type { UserRow } from './rows.ts'
import { findUserById } from './store.ts'

/**
 * Asks again, in the transaction that makes the change, about an account whose rights were found before a wait.
 * @throws Unauthorized when it went meanwhile, may no longer sign in or is no longer the administrator it was
 */
export function recheckAccount(db: Db, seen: UserRow): void {
  const now = findUserById(db, seen.id)
  if (!now || now.is_active === 0 || now.prohibit_login === 1 || now.is_admin < seen.is_admin) {
    throw new Unauthorized('Your account was changed while this request was under way.')
  }
}
