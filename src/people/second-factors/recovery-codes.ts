import { recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { sha256Hex } from '#kernel/ids.ts'
import { mailNotice } from './factor-letters.ts'
import { countFactors, deleteRecoveryCode, deleteRecoveryCodes, insertRecoveryCode } from './store.ts'

const COUNT = 10
/** Five bits each: 80 in all, which nobody tries out, not even with the digests at hand. */
const LETTERS = 16
/** Neither l and 1, nor o and 0: they are copied by hand. */
const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789'

/** New ones in place of those that the account has. @returns them, for the one time that they are shown */
function renewRecoveryCodes(tx: Tx, user: UserRow): string[] {
  deleteRecoveryCodes(tx, user.id)
  const codes = Array.from({ length: COUNT }, makeCode)
  for (const code of codes) insertRecoveryCode(tx, user.id, digestOf(user, code))
  return codes
}

/** The same when the account's holder asks for it. @throws Unprocessable when nothing asks for them */
export function replaceRecoveryCodes(context: Pick<Context, 'db' | 'mail' | 'rootUrl'>, user: UserRow): string[] {
  return context.db.tx((tx) => {
    recheckAccount(tx, user)
    const { totp, keys } = countFactors(tx, user.id)
    if (totp + keys === 0) throw new Unprocessable('Recovery codes require two-factor authentication. Set up an authenticator app or a security key first.')
    mailNotice(context, tx, user, 'New recovery codes were generated. The old codes no longer work.')
    return renewRecoveryCodes(tx, user)
  })
}

/** The same with an account's first factor; who has another one already has codes, too, and gets none. */
export function firstRecoveryCodes(tx: Tx, user: UserRow): string[] {
  const { totp, keys } = countFactors(tx, user.id)
  return totp + keys > 1 ? [] : renewRecoveryCodes(tx, user)
}

/** Takes a code of the account's, once. @param code as it was typed */
export function takeRecoveryCode(tx: Tx, user: UserRow, code: string): boolean {
  return deleteRecoveryCode(tx, user.id, digestOf(user, code))
}

/** `abcd-efgh-jkmn-pqrs` */
function makeCode(): string {
  const letters = Array.from(crypto.getRandomValues(new Uint8Array(LETTERS)), (byte) => alphabet[byte % alphabet.length]).join('')
  return letters.replace(/.{4}(?=.)/g, '$&-')
}

function digestOf({ id }: UserRow, code: string): string {
  return sha256Hex(`recovery code of ${id} ${code.toLowerCase().replace(/[\s-]/g, '')}`)
}
