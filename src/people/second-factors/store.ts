import type { Db, Tx } from '#kernel/db.ts'

/** What an account shares with its app. */
export interface TotpRow {
  user_id: number
  /** Sealed. */
  secret: string
  last_step: number
  created_at: number
}

/** What an account asks for besides its password. */
export interface FactorCounts {
  totp: number
  keys: number
  recovery_codes: number
}

export function countFactors(db: Db, userId: number): FactorCounts {
  const found = db.lookUp<FactorCounts>(
    `SELECT (SELECT count(*) FROM totp WHERE user_id = ?1) AS totp, (SELECT count(*) FROM security_key WHERE user_id = ?1) AS keys,
       (SELECT count(*) FROM recovery_code WHERE user_id = ?1) AS recovery_codes`,
    userId,
  )
  return found ?? { totp: 0, keys: 0, recovery_codes: 0 }
}

export function findTotp(db: Db, userId: number): TotpRow | undefined {
  return db.find<TotpRow>('SELECT * FROM totp WHERE user_id = ?', userId)
}

export function insertTotp(tx: Tx, row: TotpRow): void {
  tx.insert('totp', { ...row })
}

/**
 * Takes the code of a time step, once, and none of an earlier one from then on.
 * @param secret of which the code was made: the account may have another app by now
 * @returns whether this is the one who takes it
 */
export function takeStep(tx: Tx, { user_id, secret }: TotpRow, step: number): boolean {
  return tx.run('UPDATE totp SET last_step = ?1 WHERE user_id = ?2 AND secret = ?3 AND last_step < ?1', step, user_id, secret) > 0
}

/** @returns whether there was one */
export function deleteTotp(tx: Tx, userId: number): boolean {
  return tx.run('DELETE FROM totp WHERE user_id = ?', userId) > 0
}

export function insertRecoveryCode(tx: Tx, userId: number, digest: string): void {
  tx.run('INSERT INTO recovery_code (digest, user_id) VALUES (?, ?)', digest, userId)
}

/** @returns whether the account had it: of two who use it at once, one does */
export function deleteRecoveryCode(tx: Tx, userId: number, digest: string): boolean {
  return tx.run('DELETE FROM recovery_code WHERE user_id = ? AND digest = ?', userId, digest) > 0
}

export function deleteRecoveryCodes(tx: Tx, userId: number): void {
  tx.run('DELETE FROM recovery_code WHERE user_id = ?', userId)
}
