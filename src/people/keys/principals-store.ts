import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface PrincipalRow {
  id: number
  user_id: number
  name: string
  created_at: number
  last_used_at: number | null
}

export function listPrincipals(db: Db, userId: number, page: Page): { rows: PrincipalRow[]; total: number } {
  return {
    rows: db.all<PrincipalRow>('SELECT * FROM key_principal WHERE user_id = ? ORDER BY id LIMIT ? OFFSET ?', userId, page.limit, page.offset),
    total: db.find<{ n: number }>('SELECT count(*) AS n FROM key_principal WHERE user_id = ?', userId)?.n ?? 0,
  }
}

export function findPrincipalOf(db: Db, userId: number, id: number): PrincipalRow | undefined {
  return db.find<PrincipalRow>('SELECT * FROM key_principal WHERE user_id = ? AND id = ?', userId, id)
}

export function findPrincipalByName(db: Db, name: string): PrincipalRow | undefined {
  return db.find<PrincipalRow>('SELECT * FROM key_principal WHERE name = ?', name)
}

export function insertPrincipal(tx: Tx, row: Omit<PrincipalRow, 'id' | 'last_used_at'>): number {
  return tx.insert('key_principal', { ...row })
}

export function removePrincipal(tx: Tx, id: number): void {
  tx.run('DELETE FROM key_principal WHERE id = ?', id)
}
