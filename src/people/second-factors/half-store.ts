import type { Db, Tx } from '#kernel/db.ts'

/** A browser in which the password was right. */
export interface HalfSignInRow {
  digest: string
  user_id: number
  credential: string
  redirect_to: string
  attempts: number
  /** Unix seconds. */
  expires_at: number
}

export function insertHalf(tx: Tx, row: HalfSignInRow): void {
  tx.insert('half_sign_in', { ...row })
}

/** The one of a cookie's digest that is not over. */
export function findHalf(db: Db, digest: string, now: number): HalfSignInRow | undefined {
  return db.find<HalfSignInRow>('SELECT * FROM half_sign_in WHERE digest = ? AND expires_at > ?', digest, now)
}

/** Counts an attempt, unless there were `most` already. @returns whether it may be made */
export function countAttempt(tx: Tx, digest: string, most: number): boolean {
  return tx.run('UPDATE half_sign_in SET attempts = attempts + 1 WHERE digest = ? AND attempts < ?', digest, most) > 0
}

/** @returns whether it was there: of two who complete it at once, one does */
export function deleteHalf(tx: Tx, digest: string): boolean {
  return tx.run('DELETE FROM half_sign_in WHERE digest = ?', digest) > 0
}

export function deleteHalvesOf(tx: Tx, userId: number): void {
  tx.run('DELETE FROM half_sign_in WHERE user_id = ?', userId)
}

/** Some of them at a time, more than are added. */
export function deleteEndedHalves(tx: Tx, now: number): void {
  tx.run('DELETE FROM half_sign_in WHERE digest IN (SELECT digest FROM half_sign_in WHERE expires_at <= ? LIMIT 100)', now)
}

/** Keeps the account's newest ones. */
export function deleteOldestHalves(tx: Tx, userId: number, keep: number): void {
  tx.run(
    'DELETE FROM half_sign_in WHERE user_id = ?1 AND digest NOT IN (SELECT digest FROM half_sign_in WHERE user_id = ?1 ORDER BY expires_at DESC, rowid DESC LIMIT ?2)',
    userId,
    keep,
  )
}
