import type { Db, Tx } from '#kernel/db.ts'

export interface IdentityRow {
  id: number
  user_id: number
  source_id: number
  issuer: string
  subject: string
  name: string
  created_at: number
  last_used_at: number
}

export function findIdentity(db: Db, sourceId: number, issuer: string, subject: string): IdentityRow | undefined {
  return db.find<IdentityRow>('SELECT * FROM external_identity WHERE source_id = ? AND issuer = ? AND subject = ?', sourceId, issuer, subject)
}

/** Those of an account, oldest first. */
export function listIdentities(db: Db, userId: number): IdentityRow[] {
  return db.all<IdentityRow>('SELECT * FROM external_identity WHERE user_id = ? ORDER BY id', userId)
}

export function insertIdentity(tx: Tx, row: Omit<IdentityRow, 'id'>): number {
  return tx.insert('external_identity', { ...row })
}

export function touchIdentity(tx: Tx, id: number, name: string, now: number): void {
  tx.update('external_identity', id, { name, last_used_at: now })
}

export function deleteIdentity(tx: Tx, id: number): void {
  tx.run('DELETE FROM external_identity WHERE id = ?', id)
}
