import type { Db, Tx } from '#kernel/db.ts'

export function findNextIssue(db: Db, repoId: number, after: number): { id: number; number: number } | undefined {
  return db.find('SELECT id, number FROM issue WHERE repo_id = ? AND number > ? ORDER BY number LIMIT 1', repoId, after)
}

/** Drops deleted labels, too: they do not come back to the issue. With what the timeline tells of them. @returns how many rows that were; fewer than `limit`: there are no more */
export function dropLabelsOfOthers(tx: Tx, issueId: number, ownerId: number, limit: number): number {
  const others = (from: string) =>
    `FROM ${from} AS l JOIN label AS any_label ON any_label.id = l.label_id WHERE l.issue_id = ?1 AND any_label.org_id <> ?2 LIMIT ?3`
  const carried = tx.run(`DELETE FROM issue_label WHERE issue_id = ?1 AND label_id IN (SELECT l.label_id ${others('issue_label')})`, issueId, ownerId, limit)
  if (carried === limit) return limit
  return carried + tx.run(`DELETE FROM comment WHERE id IN (SELECT l.id ${others('comment')})`, issueId, ownerId, limit - carried)
}
