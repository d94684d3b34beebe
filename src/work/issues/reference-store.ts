import type { Db, Tx } from '#kernel/db.ts'
import type { IssueRow } from './store.ts'

interface ReferenceRow {
  id: number
  issue_id: number
  poster_id: number | null
  ref_action: string
}

/** Entries that tell elsewhere of references in an issue's own text, or in one of its comments. */
export function listReferencesFrom(db: Db, issueId: number, commentId: number | null): ReferenceRow[] {
  return db.all('SELECT id, issue_id, poster_id, ref_action FROM live_comment WHERE ref_issue_id = ? AND ref_comment_id IS ?', issueId, commentId)
}

/** References in a pull request's own text that close or reopen issues of other repositories. */
export function listActing(
  db: Db,
  { id, repo_id }: Pick<IssueRow, 'id' | 'repo_id'>,
): { issue_id: number; poster_id: number; ref_action: 'closes' | 'reopens' }[] {
  const sql = `SELECT issue_id, poster_id, ref_action FROM live_comment WHERE ref_issue_id = ? AND ref_comment_id IS NULL AND type = 'pull_ref'
    AND ref_action IN ('closes', 'reopens') AND repo_id <> ? AND poster_id IS NOT NULL ORDER BY id`
  return db.all(sql, id, repo_id)
}

export function updateReference(tx: Tx, id: number, columns: Pick<ReferenceRow, 'ref_action' | 'poster_id'>): void {
  tx.update('comment', id, columns)
}

export function deleteReferences(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) tx.run('DELETE FROM comment WHERE id = ?', id)
}
