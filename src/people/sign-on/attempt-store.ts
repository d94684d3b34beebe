import type { Db, Tx } from '#kernel/db.ts'

export interface AttemptRow {
  digest: string
  source_id: number
  /** Whence the browser asked. */
  address: string
  redirect_uri: string
  return_to: string
  expires_at: number
}

export interface NewcomerRow {
  digest: string
  source_id: number
  /** Encrypted. */
  identity: string
  /** Why they are asked; may be empty. */
  note: string
  return_to: string
  expires_at: number
}

export function insertAttempt(tx: Tx, row: AttemptRow): void {
  tx.insert('sign_on_attempt', { ...row })
}

/** Takes the attempt away: of two who come back with it at once, one gets it. */
export function takeAttempt(tx: Tx, digest: string): AttemptRow | undefined {
  const row = tx.find<AttemptRow>('SELECT * FROM sign_on_attempt WHERE digest = ?', digest)
  if (row) tx.run('DELETE FROM sign_on_attempt WHERE digest = ?', digest)
  return row
}

/** Some of them at a time, more than are added. */
export function deleteEndedAttempts(tx: Tx, now: number): void {
  tx.run('DELETE FROM sign_on_attempt WHERE digest IN (SELECT digest FROM sign_on_attempt WHERE expires_at <= ? LIMIT 100)', now)
}

/** Of one address, all but the newest. */
export function deleteOldestAttempts(tx: Tx, address: string, kept: number): void {
  tx.run(
    'DELETE FROM sign_on_attempt WHERE digest IN (SELECT digest FROM sign_on_attempt WHERE address = ? ORDER BY expires_at DESC, digest LIMIT -1 OFFSET ?)',
    address,
    kept,
  )
}

export function insertNewcomer(tx: Tx, row: NewcomerRow): void {
  tx.insert('sign_on_newcomer', { ...row })
}

export function findNewcomer(db: Db, digest: string, now: number): NewcomerRow | undefined {
  return db.find<NewcomerRow>('SELECT * FROM sign_on_newcomer WHERE digest = ? AND expires_at > ?', digest, now)
}

/** @returns whether it was there: of two who use it at once, one does */
export function deleteNewcomer(tx: Tx, digest: string): boolean {
  return tx.run('DELETE FROM sign_on_newcomer WHERE digest = ?', digest) > 0
}

export function deleteEndedNewcomers(tx: Tx, now: number): void {
  tx.run('DELETE FROM sign_on_newcomer WHERE expires_at <= ?', now)
}

/** Of one source, all but the newest. */
export function deleteOldestNewcomers(tx: Tx, sourceId: number, kept: number): void {
  tx.run(
    'DELETE FROM sign_on_newcomer WHERE digest IN (SELECT digest FROM sign_on_newcomer WHERE source_id = ? ORDER BY expires_at DESC, digest LIMIT -1 OFFSET ?)',
    sourceId,
    kept,
  )
}
