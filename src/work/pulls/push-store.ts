import type { Oid } from '#git/objects/oid.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** A push to the head of a pull request, in another repository. */
export interface PushRow {
  id: number
  issue_id: number
  head_oid: Oid
  actor_id: number
  created_at: number
  /** See `PullRow.acting`. */
  acting: string | null
}

export function insertPush(tx: Tx, row: Omit<PushRow, 'id'>): void {
  tx.insert('pull_push', { ...row })
}

/** The one to be taken over next. */
export function findPush(db: Db, issueId: number): PushRow | undefined {
  return db.find<PushRow>('SELECT * FROM pull_push WHERE issue_id = ? ORDER BY id LIMIT 1', issueId)
}

/** Issues of pull requests that pushes wait for, those that wait longest first. */
export function listPushed(db: Db, limit: number): number[] {
  return db.all<{ id: number }>('SELECT issue_id AS id FROM pull_push GROUP BY issue_id ORDER BY min(id) LIMIT ?', limit).map(({ id }) => id)
}

export function deletePush(tx: Tx, id: number): void {
  tx.run('DELETE FROM pull_push WHERE id = ?', id)
}

export function deletePushes(tx: Tx, issueId: number): void {
  tx.run('DELETE FROM pull_push WHERE issue_id = ?', issueId)
}
