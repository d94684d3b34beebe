import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { LinkOver, NotFound } from '#kernel/errors.ts'
import { randomHex, sha256Hex } from '#kernel/ids.ts'
import { writeLetter } from '#outbound/mail/index.ts'
import { countProofs, endProofs, findProof, insertProof, type Proof, removeProofsBefore, verifyEmail } from './proofs-store.ts'
import { findEmail, isEmailReserved } from './store.ts'

/** How long a link that was mailed can be used, in seconds. */
const LIFETIME = 86_400
/** Within that time: mail to strangers that one account can cause, and that one address gets. */
const MOST_BY_USER = 20
const MOST_TO_ADDRESS = 3

export type ProofContext = Pick<Context, 'clock' | 'mail' | 'rootUrl'>

/**
 * Mails a link to an address that an account claims, by which whoever reads its mail can say that it is theirs. Where mail is off,
 * or too much was sent of late, the claim stays as it is: an administrator can give the address to the account.
 */
export function mailProof({ clock, mail, rootUrl }: ProofContext, tx: Tx, user: UserRow, email: string): void {
  if (!mail.isOn) return
  const now = clock.seconds()
  removeProofsBefore(tx, now - LIFETIME)
  const sent = countProofs(tx, user.id, email, now - LIFETIME)
  if (sent.byUser >= MOST_BY_USER || sent.toAddress >= MOST_TO_ADDRESS) return
  endProofs(tx, user.id, email)
  const token = randomHex(20)
  insertProof(tx, { user_id: user.id, lower_email: email.toLowerCase(), digest: sha256Hex(token), created_at: now })
  const url = new URL(`user/activate_email?code=${token}`, rootUrl)
  mail.queue(tx, user, writeLetter('confirmAddress', { host: url.host, user: user.name, link: url }), { address: email })
}

/** What the token would confirm. @throws NotFound when it is wrong, used, too old, or about a claim that is gone */
export function getProof({ clock, db }: Pick<Context, 'clock' | 'db'>, token: string): Proof {
  const proof = findProof(db, sha256Hex(token), clock.seconds() - LIFETIME)
  if (!proof) throw new LinkOver()
  return proof
}

/** Makes the address the account's, once. @throws NotFound as `getProof` */
export function confirmEmail(context: Pick<Context, 'clock' | 'db'>, token: string): Proof {
  return context.db.tx((tx) => {
    const proof = getProof(context, token)
    settle(tx, proof)
    return proof
  })
}

/** The same on the word of an administrator. @throws NotFound for what is no address of the account's */
export function vouchForEmail({ db }: Pick<Context, 'db'>, user: UserRow, email: string): void {
  db.tx((tx) => {
    const row = findEmail(tx, user.id, email)
    if (!row) throw new NotFound(`e-mail address does not exist [email: ${email}]`)
    if (row.is_verified === 0) settle(tx, row)
  })
}

function settle(tx: Tx, { user_id, email }: Proof): void {
  if (accessStore.findUserByEmail(tx, email) || isEmailReserved(tx, email)) throw new NotFound('This email address is already used by another account.')
  verifyEmail(tx, user_id, email)
  endProofs(tx, user_id, email)
}
