import type { Db, Tx } from '#kernel/db.ts'

/** What a follower is, and where it is to be looked for. */
export interface Follower {
  id: number
  type: string
  body: string
  created_at: number
  /** Null: it is live. */
  deleted_at: number | null
}

/** Whether there may still be comments that are not where their issue is, in a repository or of one. */
export function isFollowing(db: Db, repoId: number): boolean {
  const sql = `SELECT 1 FROM job WHERE kind = 'issues.moveComments'
    AND (json_extract(args, '$.fromRepoId') = ?1 OR (SELECT repo_id FROM issue WHERE issue.id = json_extract(args, '$.issueId')) = ?1) LIMIT 1`
  return db.find(sql, repoId) !== undefined
}

/** The next entries of the timeline, with deleted ones. */
export function listFollowers(db: Db, issueId: number, [at, id]: readonly [at: number, id: number], limit: number): Follower[] {
  const sql = `SELECT id, type, body, created_at, deleted_at FROM comment AS any_comment WHERE issue_id = ? AND (created_at, id) > (?, ?)
    ORDER BY created_at, id LIMIT ?`
  return db.all<Follower>(sql, issueId, at, id, limit)
}

/** A reference from a pull request no longer closes the issue: nobody has checked whether its writer may do so in the other repository. */
export function moveEntry(tx: Tx, id: number, repoId: number): void {
  const ref_action = "CASE WHEN type = 'pull_ref' AND ref_action IN ('closes', 'reopens') THEN 'neutered' ELSE ref_action END"
  tx.run(`UPDATE comment SET repo_id = ?, ref_action = ${ref_action} WHERE id = ?`, repoId, id)
}
