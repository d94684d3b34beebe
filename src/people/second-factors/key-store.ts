import type { Db, Tx } from '#kernel/db.ts'

/** A security key or passkey; columns as in the table. */
export interface SecurityKeyRow {
  id: number
  user_id: number
  name: string
  lower_name: string
  credential_id: string
  public_key: string
  counter: number
  rp_id: string
  user_handle: string
  transports: string
  created_at: number
  last_used_at: number | null
}

export function listKeys(db: Db, userId: number): SecurityKeyRow[] {
  return db.all<SecurityKeyRow>('SELECT * FROM security_key WHERE user_id = ? ORDER BY id', userId)
}

export function findKeyByCredential(db: Db, credentialId: string): SecurityKeyRow | undefined {
  return db.find<SecurityKeyRow>('SELECT * FROM security_key WHERE credential_id = ?', credentialId)
}

/** Whether another key of the account has the name. */
export function isKeyNameTaken(db: Db, userId: number, name: string, exceptId = 0): boolean {
  return db.find('SELECT 1 FROM security_key WHERE user_id = ? AND lower_name = ? AND id <> ?', userId, name.toLowerCase(), exceptId) !== undefined
}

export function insertKey(tx: Tx, row: Omit<SecurityKeyRow, 'id'>): number {
  return tx.insert('security_key', { ...row })
}

/** @returns whether the account has such a key */
export function renameKey(tx: Tx, userId: number, id: number, name: string): boolean {
  return tx.run('UPDATE security_key SET name = ?, lower_name = ? WHERE user_id = ? AND id = ?', name, name.toLowerCase(), userId, id) > 0
}

/** Notes that a key signed. @returns whether it still stands where the signature was checked */
export function touchKey(tx: Tx, { id, counter }: SecurityKeyRow, newCounter: number, now: number): boolean {
  return tx.run('UPDATE security_key SET counter = ?, last_used_at = ? WHERE id = ? AND counter = ?', newCounter, now, id, counter) > 0
}

/** @returns whether the account had such a key */
export function deleteKey(tx: Tx, userId: number, id: number): boolean {
  return tx.run('DELETE FROM security_key WHERE user_id = ? AND id = ?', userId, id) > 0
}

export function deleteKeysOf(tx: Tx, userId: number): void {
  tx.run('DELETE FROM security_key WHERE user_id = ?', userId)
}

/** @returns whether nobody has answered the challenge before */
export function spendChallenge(tx: Tx, digest: string, expiresAt: number, now: number): boolean {
  tx.run('DELETE FROM spent_challenge WHERE digest IN (SELECT digest FROM spent_challenge WHERE expires_at <= ? LIMIT 100)', now)
  return tx.run('INSERT INTO spent_challenge (digest, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING', digest, expiresAt) > 0
}
