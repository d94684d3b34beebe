import type { Db, Tx } from '#kernel/db.ts'

export interface SigningKeyRow {
  id: number
  kid: string
  algorithm: string
  sealed: string
  created_at: number
}

/** Oldest first. */
export function listSigningKeys(db: Db): SigningKeyRow[] {
  return db.all<SigningKeyRow>('SELECT * FROM oauth2_signing_key ORDER BY id')
}

export function insertSigningKey(tx: Tx, row: Omit<SigningKeyRow, 'id'>): void {
  tx.insert('oauth2_signing_key', { ...row })
}
