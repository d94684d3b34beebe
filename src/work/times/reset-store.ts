import type { Db, Tx } from '#kernel/db.ts'

/** Returns the sum of a user's tracked times of an issue, and the highest id; undefined if there are none. */
export function findWorked(db: Db, issueId: number, userId: number): { seconds: number; until: number } | undefined {
  const of = 'SELECT sum(seconds) AS seconds, max(id) AS until FROM standing_time WHERE issue_id = ? AND user_id = ? HAVING count(*) > 0'
  return db.find(of, issueId, userId)
}

/** @returns how many were deleted */
export function clearTimes(tx: Tx, issueId: number, userId: number, until: number, limit: number): number {
  const some = 'SELECT id FROM tracked_time WHERE issue_id = ? AND user_id = ? AND id <= ? LIMIT ?'
  return tx.run(`DELETE FROM tracked_time WHERE id IN (${some})`, issueId, userId, until, limit)
}
