import type { UserRow } from '#access/index.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { userStore } from '#people/users/index.ts'

/**
 * For whatever keeps an account from administering: part of the same transaction, so that two of them cannot both pass.
 * @throws Unprocessable when no other administrator can sign in
 */
export function refuseLastAdmin(tx: Tx, { id }: Pick<UserRow, 'id'>): void {
  if (userStore.isLastAdmin(tx, id)) throw new Unprocessable(`can not delete the last admin user [uid: ${id}]`)
}
