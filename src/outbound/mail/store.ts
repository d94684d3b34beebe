import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

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
  /** Why the last attempt failed. */
  failure: string
}

/** A mail that waits, without what it says: that may hold links which are nobody else's business. */
export interface WaitingMail extends Pick<MailRow, 'id' | 'user_id' | 'subject' | 'attempts' | 'next_attempt_at' | 'created_at' | 'failure'> {
  address: string
  /** The account's. */
  name: string
}

/** The oldest first. */
export function listWaiting(db: Db, page: Page): WaitingMail[] {
  return db.all<WaitingMail>(
    `SELECT mail.id, user_id, subject, attempts, next_attempt_at, mail.created_at, failure, coalesce(sent_to, user.email) AS address, user.name
     FROM mail JOIN user ON user.id = mail.user_id ORDER BY mail.id LIMIT ? OFFSET ?`,
    page.limit,
    page.offset,
  )
}

export function hasten(tx: Tx, now: number, id: number): void {
  tx.run('UPDATE mail SET next_attempt_at = ? WHERE id = ? AND next_attempt_at > ?', now, id, now)
}

/** @returns how many of those that were to wait longer are due now */
export function hastenSome(tx: Tx, now: number, limit: number): number {
  return tx.run('UPDATE mail SET next_attempt_at = ? WHERE id IN (SELECT id FROM mail WHERE next_attempt_at > ? LIMIT ?)', now, now, limit)
}

export function noteFailure(tx: Tx, id: number, failure: string): void {
  tx.run('UPDATE mail SET failure = ? WHERE id = ?', failure, id)
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

export function insertMail(tx: Tx, row: Omit<MailRow, 'id' | 'attempts' | 'failure'>): void {
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

/** Looks at the oldest alone. @returns how many there were */
export function removeMailsBefore(tx: Tx, createdBefore: number, limit: number): number {
  return tx.run('DELETE FROM mail WHERE created_at < ? AND id IN (SELECT id FROM mail ORDER BY id LIMIT ?)', createdBefore, limit)
}
