import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { EmailRow } from './store.ts'

/** All addresses of an account, oldest first. */
export function listEmails(db: Db, userId: number): EmailRow[] {
  return db.all<EmailRow>('SELECT * FROM email_address WHERE user_id = ? ORDER BY id', userId)
}

/** Addresses of all people, in order, with their holders' names; `keyword` is part of the address or of the holder's name or full name, in any case. */
export function searchEmails(db: Db, keyword: string, page: Page): { rows: (EmailRow & { username: string })[]; total: number } {
  const from = 'FROM email_address AS e JOIN user ON user.id = e.user_id'
  const found = keyword === '' ? 'TRUE' : '(instr(lower_email, ?1) > 0 OR instr(lower_name, ?1) > 0 OR instr(lower(full_name), ?1) > 0)'
  const values = keyword === '' ? [] : [keyword.toLowerCase()]
  const total = db.find<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${found}`, ...values)?.n ?? 0
  const sql = `SELECT e.*, user.name AS username ${from} WHERE ${found} ORDER BY lower_email LIMIT ? OFFSET ?`
  return { rows: db.all(sql, ...values, page.limit, page.offset), total }
}

/** Adds an address that nobody has shown to be the account's yet. */
export function addUnverifiedEmail(tx: Tx, userId: number, email: string): void {
  tx.run('INSERT INTO email_address (user_id, email, lower_email) VALUES (?, ?, ?)', userId, email, email.toLowerCase())
}

export function removeEmail(tx: Tx, id: number): void {
  tx.run('DELETE FROM email_address WHERE id = ?', id)
}
