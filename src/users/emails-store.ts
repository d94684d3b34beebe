import type { Db, Tx } from '../kernel/db.ts'
import type { EmailRow } from './store.ts'

/** All addresses of an account, oldest first. */
export function listEmails(db: Db, userId: number): EmailRow[] {
  return db.all<EmailRow>('SELECT * FROM email_address WHERE user_id = ? ORDER BY id', userId)
}

/** Adds an address that nobody has shown to be the account's yet. */
export function addUnverifiedEmail(tx: Tx, userId: number, email: string): void {
  tx.run('INSERT INTO email_address (user_id, email, lower_email) VALUES (?, ?, ?)', userId, email, email.toLowerCase())
}

export function removeEmail(tx: Tx, id: number): void {
  tx.run('DELETE FROM email_address WHERE id = ?', id)
}
