import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { mailNotice } from './factor-letters.ts'
import { deleteHalvesOf } from './half-store.ts'
import { deleteKeysOf } from './key-store.ts'
import { countFactors, deleteRecoveryCodes, deleteTotp, type FactorCounts } from './store.ts'

/** Recovery codes go with the last factor, and so does whatever waits for one. @param left the account's factors as they are by now */
export function forgetWithLast(tx: Tx, user: UserRow, { totp, keys }: FactorCounts): void {
  if (totp + keys > 0) return
  deleteRecoveryCodes(tx, user.id)
  deleteHalvesOf(tx, user.id)
}

/**
 * Has an account do without any second factor from now on, as an administrator does for who has lost them all. Nobody is signed out.
 * @returns whether it had one
 */
export function takeAwayFactors(context: Pick<Context, 'db' | 'mail' | 'rootUrl'>, user: UserRow): boolean {
  return context.db.tx((tx) => {
    const { totp, keys } = countFactors(tx, user.id)
    if (totp + keys === 0) return false
    deleteTotp(tx, user.id)
    deleteKeysOf(tx, user.id)
    forgetWithLast(tx, user, countFactors(tx, user.id))
    mailNotice(context, tx, user, 'A site administrator removed the authenticator app and security keys. Two-factor authentication is now disabled.')
    return true
  })
}
