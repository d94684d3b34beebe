import type { Db, Tx } from '../kernel/db.ts'

export interface PublicKeyRow {
  id: number
  user_id: number
  title: string
  fingerprint: string
  content: string
  is_read_only: number
  created_at: number
  last_used_at: number | null
}

export function findPublicKey(db: Db, userId: number, id: number): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE user_id = ? AND id = ?', userId, id)
}

export function findKeyByFingerprint(db: Db, fingerprint: string): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE fingerprint = ?', fingerprint)
}

export function findKeyByTitle(db: Db, userId: number, title: string): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE user_id = ? AND title = ?', userId, title)
}

export function insertPublicKey(tx: Tx, row: Omit<PublicKeyRow, 'id' | 'last_used_at'>): number {
  return tx.insert('public_key', { ...row })
}

export function removePublicKey(tx: Tx, id: number): void {
  tx.run('DELETE FROM public_key WHERE id = ?', id)
}
