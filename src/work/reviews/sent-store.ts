import type { Db } from '#kernel/db.ts'

/** What its comments on lines say, oldest first: so many after one of them. */
export function listWords(db: Db, reviewId: number, after: number, limit: number): { id: number; body: string }[] {
  const sql = "SELECT id, body FROM live_comment WHERE review_id = ? AND id > ? AND type = 'code' ORDER BY id LIMIT ?"
  return db.all(sql, reviewId, after, limit)
}
