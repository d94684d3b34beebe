import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface PublicKeyRow {
  id: number
  /** Null for what deploy keys share. */
  user_id: number | null
  title: string
  fingerprint: string
  content: string
  is_read_only: number
  /** The source of sign-in that it came from and goes with; 0: its holder's own doing. */
  source_id: number
  created_at: number
  last_used_at: number | null
}

export function findPublicKey(db: Db, userId: number, id: number): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE user_id = ? AND id = ?', userId, id)
}

/** Whichever person's it is. */
export function findKeyOfAnyone(db: Db, id: number): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE user_id IS NOT NULL AND id = ?', id)
}

/** Whoever's it is: a person's, or what deploy keys share. */
export function findKeyByFingerprint(db: Db, fingerprint: string): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE fingerprint = ?', fingerprint)
}

export function findKeyByTitle(db: Db, userId: number, title: string): PublicKeyRow | undefined {
  return db.find<PublicKeyRow>('SELECT * FROM public_key WHERE user_id = ? AND title = ?', userId, title)
}

/** @param fingerprint only the key with this one, when it is given */
export function listPublicKeys(db: Db, userId: number, fingerprint: string | undefined, page: Page): { rows: PublicKeyRow[]; total: number } {
  const where = `user_id = ?${fingerprint === undefined ? '' : ' AND fingerprint = ?'}`
  const values = [userId, ...(fingerprint === undefined ? [] : [fingerprint])]
  return {
    rows: db.all<PublicKeyRow>(`SELECT * FROM public_key WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n FROM public_key WHERE ${where}`, ...values)?.n ?? 0,
  }
}

/** What an `authorized_keys` file has of an account, a line a key; without the comments, which often are addresses. */
export function listKeyLines(db: Db, userId: number): string[] {
  return db
    .all<{ content: string }>('SELECT content FROM public_key WHERE user_id = ? ORDER BY id', userId)
    .map(({ content }) => content.split(' ', 2).join(' '))
}

/** Those that the person has from a source of sign-in. */
export function listKeysOfSource(db: Db, userId: number, sourceId: number): PublicKeyRow[] {
  return db.all<PublicKeyRow>('SELECT * FROM public_key WHERE user_id = ? AND source_id = ?', userId, sourceId)
}

export function insertPublicKey(tx: Tx, row: Omit<PublicKeyRow, 'id' | 'last_used_at' | 'source_id'> & { source_id?: number }): number {
  return tx.insert('public_key', { ...row })
}

export function removePublicKey(tx: Tx, id: number): void {
  tx.run('DELETE FROM public_key WHERE id = ?', id)
}
