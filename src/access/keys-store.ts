import type { Db, Tx } from '#kernel/db.ts'

/** An SSH key of a person's. */
export interface SshKeyRow {
  id: number
  user_id: number
  content: string
  is_read_only: number
  last_used_at: number | null
}

/** A name by which an authority knows a person. */
export interface PrincipalRow {
  id: number
  user_id: number
  name: string
  last_used_at: number | null
}

/** What deploy keys share is nobody's. */
export function findPersonalKey(db: Db, fingerprint: string): SshKeyRow | undefined {
  const sql = 'SELECT id, user_id, content, is_read_only, last_used_at FROM public_key WHERE fingerprint = ? AND user_id IS NOT NULL'
  return db.find<SshKeyRow>(sql, fingerprint)
}

export function findPrincipal(db: Db, name: string): PrincipalRow | undefined {
  return db.find<PrincipalRow>('SELECT id, user_id, name, last_used_at FROM key_principal WHERE name = ?', name)
}

export function touchKey(tx: Tx, table: 'public_key' | 'key_principal', id: number, now: number): void {
  tx.run(`UPDATE ${table} SET last_used_at = ? WHERE id = ?`, now, id)
}

/** Whether it is an address that the account has shown to be its own. */
export function isVerifiedEmailOf(db: Db, userId: number, email: string): boolean {
  return db.find('SELECT 1 FROM email_address WHERE user_id = ? AND lower_email = ? AND is_verified = 1', userId, email.toLowerCase()) !== undefined
}
