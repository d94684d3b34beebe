import { accessStore, type UserRow } from '#access/index.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { addUnverifiedEmail, listEmails, removeEmail } from './emails-store.ts'
import { checkEmail } from './names.ts'
import { endProofs } from './proofs-store.ts'
import { mailProof, type ProofContext } from './prove-email.ts'
import { MAX_EMAILS } from './schema.ts'
import { findEmail, isEmailReserved } from './store.ts'

/** Each is mailed a link by which it is confirmed. @throws Unprocessable when one is not an address, or taken, or one too many; then none is added */
export function addEmails(context: ProofContext, tx: Tx, user: UserRow, asked: readonly string[]): void {
  const wanted = distinct(asked)
  if (wanted.size === 0) throw new Unprocessable('Email list empty')
  for (const email of wanted.values()) {
    checkEmail(email)
    if (accessStore.findUserByEmail(tx, email) || findEmail(tx, user.id, email)) throw new Unprocessable(`e-mail already in use [email: ${email}]`)
    if (isEmailReserved(tx, email)) throw new Unprocessable(`e-mail is reserved [email: ${email}]`)
    addUnverifiedEmail(tx, user.id, email)
    mailProof(context, tx, user, email)
  }
  if (listEmails(tx, user.id).length > MAX_EMAILS) throw new Unprocessable(`Cannot add the email addresses: an account can have at most ${MAX_EMAILS}`)
}

/** @throws NotFound when one is not the user's, whoever else's it is; Unprocessable when one is the primary one; then none is removed */
export function removeEmails(tx: Tx, user: UserRow, asked: readonly string[]): void {
  for (const email of distinct(asked).values()) {
    const row = findEmail(tx, user.id, email)
    if (!row) throw new NotFound(`e-mail address does not exist [email: ${email}]`)
    if (row.is_primary === 1) throw new Unprocessable(`Cannot delete ${email}: it is the primary email address`)
    removeEmail(tx, row.id)
    endProofs(tx, user.id, email)
  }
}

/** By the address in small letters. */
function distinct(asked: readonly string[]): Map<string, string> {
  return new Map(asked.map((email) => [email.trim().toLowerCase(), email.trim()]))
}
