import type { Db, Tx } from '#kernel/db.ts'

/** Entries that tell elsewhere of references in an issue's own text, or in one of its comments. */
export function listReferencesFrom(db: Db, issueId: number, commentId: number | null): { id: number; issue_id: number }[] {
  return db.all('SELECT id, issue_id FROM comment WHERE ref_issue_id = ? AND ref_comment_id IS ?', issueId, commentId)
}

export function deleteReferences(tx: Tx, ids: readonly number[]): void {
  for (const id of ids) tx.run('DELETE FROM comment WHERE id = ?', id)
}
