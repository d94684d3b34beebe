import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { EmailRow } from './store.ts'

/** All addresses of an account, oldest first. */
export function listEmails(db: Db, userId: number): EmailRow[] {
  return db.all<EmailRow>('SELECT * FROM email_address WHERE user_id = ? ORDER BY id', userId)
}

interface HeldEmail extends EmailRow {
  username: string
}

/**
 * Addresses of all people, in order, with their holders' names; `keyword` is part of the address or of the holder's name or full name, in any case.
 * @param line who asks: see `LongDb`
 */
export async function searchEmails(db: LongDb, line: string, keyword: string, page: Page): Promise<{ rows: HeldEmail[]; total: number }> {
  const from = 'FROM email_address AS e JOIN user ON user.id = e.user_id'
  const found = keyword === '' ? 'TRUE' : '(instr(lower_email, ?) > 0 OR instr(lower_name, ?) > 0 OR instr(lower(full_name), ?) > 0)'
  const word = keyword.toLowerCase()
  const values = keyword === '' ? [] : [word, word, word]
  const { rows, counted } = await db.askAside(
    {
      rows: question<HeldEmail>(
        `SELECT e.*, user.name AS username ${from} WHERE ${found} ORDER BY lower_email LIMIT ? OFFSET ?`,
        ...values,
        page.limit,
        page.offset,
      ),
      counted: question<{ n: number }>(`SELECT count(*) AS n ${from} WHERE ${found}`, ...values),
    },
    line,
  )
  return { rows, total: counted[0]?.n ?? 0 }
}

/** Adds an address that nobody has shown to be the account's yet. */
export function addUnverifiedEmail(tx: Tx, userId: number, email: string): void {
  tx.run('INSERT INTO email_address (user_id, email, lower_email) VALUES (?, ?, ?)', userId, email, email.toLowerCase())
}

export function removeEmail(tx: Tx, id: number): void {
  tx.run('DELETE FROM email_address WHERE id = ?', id)
}
