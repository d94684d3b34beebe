import type { Db, Tx } from '#kernel/db.ts'

export interface OrphanRow {
  issue_id: number
  actor_id: number
  orphaned_at: number
}

/** All open pull requests from a repository that are not to be merged in it. @returns how many */
export function insertOrphans(tx: Tx, headRepoId: number, { actorId, at }: { actorId: number; at: number }): number {
  const sql = `INSERT OR IGNORE INTO orphaned_pull SELECT issue_id, ?, ? FROM pull JOIN issue ON issue.id = issue_id
    WHERE is_closed = 0 AND head_repo_id = ? AND pull.repo_id <> head_repo_id`
  return tx.run(sql, actorId, at, headRepoId)
}

export function listOrphans(db: Db, limit: number): OrphanRow[] {
  return db.all<OrphanRow>('SELECT * FROM orphaned_pull ORDER BY issue_id LIMIT ?', limit)
}

export function deleteOrphan(tx: Tx, issueId: number): void {
  tx.run('DELETE FROM orphaned_pull WHERE issue_id = ?', issueId)
}
