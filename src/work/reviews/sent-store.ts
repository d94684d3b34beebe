import type { Db, Tx } from '#kernel/db.ts'

/** A review that was sent, and how far what it says was looked at. */
export interface SentRow {
  review_id: number
  entry_id: number
  looked_to: number
  mentioned: readonly number[]
}

export function putSent(tx: Tx, { review_id, entry_id, looked_to, mentioned }: SentRow): void {
  const sql = 'INSERT OR REPLACE INTO sent_review (review_id, entry_id, looked_to, mentioned) VALUES (?, ?, ?, ?)'
  tx.run(sql, review_id, entry_id, looked_to, JSON.stringify(mentioned))
}

export function findFirstSent(db: Db): SentRow | undefined {
  const row = db.find<Omit<SentRow, 'mentioned'> & { mentioned: string }>('SELECT * FROM sent_review ORDER BY review_id LIMIT 1')
  return row && { ...row, mentioned: JSON.parse(row.mentioned) }
}

export function deleteSent(tx: Tx, reviewId: number): void {
  tx.run('DELETE FROM sent_review WHERE review_id = ?', reviewId)
}

/** What its comments on lines say, oldest first: so many after one of them. */
export function listWords(db: Db, { review_id, looked_to }: Pick<SentRow, 'review_id' | 'looked_to'>, limit: number): { id: number; body: string }[] {
  const sql = "SELECT id, body FROM live_comment WHERE review_id = ? AND id > ? AND type = 'code' ORDER BY id LIMIT ?"
  return db.all(sql, review_id, looked_to, limit)
}
