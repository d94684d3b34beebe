import type { Db, Tx } from '#kernel/db.ts'

export type Purpose = 'activate' | 'reset'

export interface CodeRow {
  user_id: number
  purpose: Purpose
  digest: string
  lower_email: string
  /** `credentialOf` the account. */
  credential: string
  created_at: number
}

export function insertCode(tx: Tx, row: CodeRow): void {
  tx.insert('account_code', { ...row })
}

/** The code of this purpose, if it was mailed after `since` (seconds). */
export function findCode(db: Db, purpose: Purpose, digest: string, since: number): CodeRow | undefined {
  return db.find<CodeRow>('SELECT * FROM account_code WHERE digest = ? AND purpose = ? AND created_at > ?', digest, purpose, since)
}

/** When the account was mailed a code last, whatever for. */
export function findLastCode(db: Db, userId: number): number | undefined {
  return db.find<{ at: number | null }>('SELECT max(created_at) AS at FROM account_code WHERE user_id = ?', userId)?.at ?? undefined
}

/** How many were made for one address at `since` or later, whosever account they are for. */
export function countCodesTo(db: Db, email: string, since: number): number {
  const sql = 'SELECT count(*) AS n FROM account_code WHERE lower_email = ? AND created_at >= ?'
  return db.find<{ n: number }>(sql, email.toLowerCase(), since)?.n ?? 0
}

/** @returns false when somebody else has used it */
export function deleteCode(tx: Tx, digest: string): boolean {
  return tx.run('DELETE FROM account_code WHERE digest = ?', digest) > 0
}

/** Some of them at a time, more than are added. */
export function deleteCodesBefore(tx: Tx, time: number): void {
  tx.run('DELETE FROM account_code WHERE id IN (SELECT id FROM account_code WHERE created_at < ? LIMIT 100)', time)
}

export function insertSelfRegistration(tx: Tx, userId: number, now: number): void {
  tx.insert('self_registration', { user_id: userId, created_at: now })
}

/** Accounts that were registered before `time` and have no address of their own yet. */
export function listForgotten(db: Db, time: number, limit: number): number[] {
  const sql = `SELECT user_id FROM self_registration AS own WHERE created_at < ?
    AND NOT EXISTS (SELECT 1 FROM email_address WHERE email_address.user_id = own.user_id AND is_verified = 1) ORDER BY created_at LIMIT ?`
  return db.all<{ user_id: number }>(sql, time, limit).map((row) => row.user_id)
}

export function isSelfRegistered(db: Db, userId: number): boolean {
  return db.find('SELECT 1 FROM self_registration WHERE user_id = ?', userId) !== undefined
}

export interface RecoveryRequest {
  id: number
  email: string
}

export function insertRequest(tx: Tx, email: string): void {
  tx.insert('recovery_request', { email })
}

export function findRequest(db: Db): RecoveryRequest | undefined {
  return db.find<RecoveryRequest>('SELECT * FROM recovery_request ORDER BY id LIMIT 1')
}

export function countRequests(db: Db): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM recovery_request')?.n ?? 0
}

export function deleteRequest(tx: Tx, id: number): void {
  tx.run('DELETE FROM recovery_request WHERE id = ?', id)
}
