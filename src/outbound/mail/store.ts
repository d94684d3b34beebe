import type { Db, Tx } from '#kernel/db.ts'

export interface MailRow {
  id: number
  user_id: number
  /** Another address of the account's than its primary one. */
  sent_to: string | null
  is_for_inactive: number
  message_id: string
  subject: string
  text: string
  html: string
  attempts: number
  next_attempt_at: number
  created_at: number
}

/** A mail with what its account is at this moment. */
export interface DueMail extends MailRow {
  address: string
  name: string
  /** 0 for accounts that are inactive, unless it is for those, barred from signing in, or have given up the address. */
  is_wanted: number
}

export function countMails(db: Db): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM mail')?.n ?? 0
}

/** What has been due longest: a mail that fails goes behind those that were not tried yet. */
export function findDueMail(db: Db, now: number): DueMail | undefined {
  return db.find<DueMail>(
    `SELECT mail.*, coalesce(sent_to, user.email) AS address, coalesce(nullif(user.full_name, ''), user.name) AS name,
       (is_active = 1 OR is_for_inactive = 1) AND prohibit_login = 0 AND
         (sent_to IS NULL OR EXISTS (SELECT 1 FROM email_address WHERE email_address.user_id = user.id AND email_address.email = sent_to)) AS is_wanted
     FROM mail JOIN user ON user.id = mail.user_id
     WHERE next_attempt_at <= ? ORDER BY next_attempt_at, mail.id LIMIT 1`,
    now,
  )
}

export function insertMail(tx: Tx, row: Omit<MailRow, 'id' | 'attempts'>): void {
  tx.insert('mail', { ...row })
}

/** Counts an attempt before it is made: what ends in a crash is not tried again at once. @returns false when someone else was first */
export function claimMail(tx: Tx, mail: MailRow, nextAttemptAt: number): boolean {
  const sql = 'UPDATE mail SET attempts = attempts + 1, next_attempt_at = ? WHERE id = ? AND attempts = ?'
  return tx.run(sql, nextAttemptAt, mail.id, mail.attempts) > 0
}

export function removeMail(tx: Tx, id: number): void {
  tx.run('DELETE FROM mail WHERE id = ?', id)
}

/** @returns how many there were */
export function removeMailsBefore(tx: Tx, createdBefore: number): number {
  return tx.run('DELETE FROM mail WHERE created_at < ?', createdBefore)
}
