import type { Db, Tx } from '#kernel/db.ts'

/** An address that its account has not shown to be its own, and the proof that stands for it. */
export interface Proof {
  user_id: number
  email: string
}

/** Of mail sent since `since` (seconds), what one account had sent, and what one address got from anyone. */
export function countProofs(db: Db, userId: number, email: string, since: number): { byUser: number; toAddress: number } {
  const count = (column: string, value: string | number) =>
    db.find<{ n: number }>(`SELECT count(*) AS n FROM email_proof WHERE ${column} = ? AND created_at > ?`, value, since)?.n ?? 0
  return { byUser: count('user_id', userId), toAddress: count('lower_email', email.toLowerCase()) }
}

/** The claim that the token proves, if it is not verified yet and was mailed after `since`. */
export function findProof(db: Db, digest: string, since: number): Proof | undefined {
  return db.find<Proof>(
    `SELECT email_proof.user_id, email_address.email FROM email_proof
     JOIN email_address ON email_address.user_id = email_proof.user_id AND email_address.lower_email = email_proof.lower_email
     WHERE digest = ? AND created_at > ? AND is_verified = 0`,
    digest,
    since,
  )
}

export function insertProof(tx: Tx, row: { user_id: number; lower_email: string; digest: string; created_at: number }): void {
  tx.insert('email_proof', row)
}

/** No token that was mailed for this claim is good any more. */
export function endProofs(tx: Tx, userId: number, email: string): void {
  tx.run('UPDATE email_proof SET digest = NULL WHERE user_id = ? AND lower_email = ?', userId, email.toLowerCase())
}

/** Some of them at a time, more than are added. */
export function removeProofsBefore(tx: Tx, time: number): void {
  tx.run('DELETE FROM email_proof WHERE id IN (SELECT id FROM email_proof WHERE created_at < ? LIMIT 100)', time)
}

/** The address is the account's from now on; whoever else claimed it loses it. */
export function verifyEmail(tx: Tx, userId: number, email: string): void {
  tx.run('DELETE FROM email_address WHERE lower_email = ? AND user_id <> ? AND is_verified = 0', email.toLowerCase(), userId)
  tx.run('UPDATE email_address SET is_verified = 1 WHERE user_id = ? AND lower_email = ?', userId, email.toLowerCase())
}
