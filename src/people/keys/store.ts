import { pageAside } from '#kernel/database/long-list.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
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
export function listPublicKeys(
  db: LongDb,
  line: string,
  userId: number,
  fingerprint: string | undefined,
  page: Page,
): Promise<{ rows: PublicKeyRow[]; total: number }> {
  const from = `FROM public_key WHERE user_id = ?${fingerprint === undefined ? '' : ' AND fingerprint = ?'}`
  return pageAside(db, line, { columns: '*', from, order: 'id', values: [userId, ...(fingerprint === undefined ? [] : [fingerprint])] }, page)
}

/** `ssh-ed25519 AAAA… comment` without the comment. */
const AFTER_TYPE = "substr(content, instr(content, ' ') + 1)"
const WITHOUT_COMMENT = `substr(content, 1, instr(content, ' ')) || iif(instr(${AFTER_TYPE}, ' ') > 0, substr(${AFTER_TYPE}, 1, instr(${AFTER_TYPE}, ' ') - 1), ${AFTER_TYPE})`

/**
 * What an `authorized_keys` file has of an account, a line a key; without the comments, which often are addresses. It is put together where it is
 * read: nobody waits for very many.
 * @param line who asks: see `LongDb`
 */
export async function readKeyLines(db: LongDb, line: string, userId: number): Promise<string> {
  const sql = `SELECT group_concat(${WITHOUT_COMMENT} || char(10), '' ORDER BY id) AS lines FROM public_key WHERE user_id = ?`
  const { found } = await db.askAside({ found: question<{ lines: string | null }>(sql, userId) }, line)
  return found[0]?.lines ?? ''
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
