import type { Db, Tx } from '#kernel/db.ts'

/** An issue whose conversation follows it to another repository. */
export interface MovedRow {
  id: number
  issue_id: number
  looked_at: number
  looked_to: number
}

/** What a follower is, and where it is to be looked for. */
export interface Follower {
  id: number
  type: string
  body: string
  created_at: number
  /** Null: it is live. */
  deleted_at: number | null
}

export function insertMoved(tx: Tx, issueId: number, fromRepoId: number): void {
  tx.insert('moved_issue', { issue_id: issueId, from_repo_id: fromRepoId })
}

export function findFirstMoved(db: Db): MovedRow | undefined {
  return db.find<MovedRow>('SELECT * FROM moved_issue ORDER BY id LIMIT 1')
}

/** Whether there may still be comments that are not where their issue is, in a repository or of one. */
export function isFollowing(db: Db, repoId: number): boolean {
  const sql = 'SELECT 1 FROM moved_issue WHERE from_repo_id = ?1 OR (SELECT repo_id FROM issue WHERE issue.id = issue_id) = ?1 LIMIT 1'
  return db.find(sql, repoId) !== undefined
}

/** The next entries of the timeline, with deleted ones. */
export function listFollowers(db: Db, { issue_id, looked_at, looked_to }: MovedRow, limit: number): Follower[] {
  const sql =
    'SELECT id, type, body, created_at, deleted_at FROM comment AS any_comment WHERE issue_id = ? AND (created_at, id) > (?, ?) ORDER BY created_at, id LIMIT ?'
  return db.all<Follower>(sql, issue_id, looked_at, looked_to, limit)
}

/** A reference from a pull request no longer closes the issue: nobody has checked whether its writer may do so in the other repository. */
export function moveEntry(tx: Tx, id: number, repoId: number): void {
  const ref_action = "CASE WHEN type = 'pull_ref' AND ref_action IN ('closes', 'reopens') THEN 'neutered' ELSE ref_action END"
  tx.run(`UPDATE comment SET repo_id = ?, ref_action = ${ref_action} WHERE id = ?`, repoId, id)
}

export function setLookedTo(tx: Tx, id: number, { id: looked_to, created_at: looked_at }: Follower): void {
  tx.update('moved_issue', id, { looked_at, looked_to })
}

export function deleteMoved(tx: Tx, id: number): void {
  tx.run('DELETE FROM moved_issue WHERE id = ?', id)
}
