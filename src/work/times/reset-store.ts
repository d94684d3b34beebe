import type { Db, Tx } from '#kernel/db.ts'

export interface ResetRow {
  id: number
  issue_id: number
  user_id: number
  last_time_id: number
}

/** Takes back all that somebody worked on an issue. @returns how many seconds they were, or undefined when there were none */
export function insertReset(tx: Tx, issueId: number, userId: number): number | undefined {
  const of = 'SELECT sum(seconds) AS seconds, max(id) AS last FROM standing_time WHERE issue_id = ? AND user_id = ?'
  const found = tx.find<{ seconds: number | null; last: number | null }>(of, issueId, userId)
  if (!found || found.seconds === null || found.last === null) return undefined
  tx.insert('time_reset', { issue_id: issueId, user_id: userId, last_time_id: found.last })
  return found.seconds
}

export function findFirstReset(db: Db): ResetRow | undefined {
  return db.find<ResetRow>('SELECT * FROM time_reset ORDER BY id LIMIT 1')
}

/** @returns how many were cleared */
export function clearReset(tx: Tx, { issue_id, user_id, last_time_id }: ResetRow, limit: number): number {
  const some = 'SELECT id FROM tracked_time WHERE issue_id = ? AND user_id = ? AND id <= ? LIMIT ?'
  return tx.run(`DELETE FROM tracked_time WHERE id IN (${some})`, issue_id, user_id, last_time_id, limit)
}

export function deleteReset(tx: Tx, id: number): void {
  tx.run('DELETE FROM time_reset WHERE id = ?', id)
}
