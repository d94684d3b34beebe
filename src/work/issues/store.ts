import type { Db, Row, Tx } from '#kernel/db.ts'
import { NotFound } from '#kernel/errors.ts'

export interface IssueRow {
  id: number
  repo_id: number
  number: number
  is_pull: number
  poster_id: number | null
  title: string
  body: string
  ref: string
  milestone_id: number | null
  is_closed: number
  closed_at: number | null
  closed_by: number | null
  due_at: number | null
  merged_at: number | null
  is_locked: number
  pin_order: number
  content_version: number
  time_estimate: number
  comment_count: number
  /** Comments that were deleted and can be restored. */
  deleted_comment_count: number
  created_at: number
  updated_at: number
}

export function findIssue(db: Db, repoId: number, number: number): IssueRow | undefined {
  return db.find<IssueRow>('SELECT * FROM issue WHERE repo_id = ? AND number = ?', repoId, number)
}

export function findIssueById(db: Db, id: number): IssueRow | undefined {
  return db.find<IssueRow>('SELECT * FROM issue WHERE id = ?', id)
}

/** Those that are there, in the order of `ids`. */
export function listIssuesById(db: Db, ids: readonly number[]): IssueRow[] {
  if (ids.length === 0) return []
  const rows = db.all<IssueRow>('SELECT * FROM issue WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  const known = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** The issue that had this number in the repository before it was moved elsewhere. */
export function findMovedIssue(db: Db, repoId: number, number: number): IssueRow | undefined {
  return db.find<IssueRow>('SELECT issue.* FROM issue_redirect AS r JOIN issue ON issue.id = r.issue_id WHERE r.repo_id = ? AND r.number = ?', repoId, number)
}

export function insertRedirect(tx: Tx, repoId: number, number: number, issueId: number): void {
  tx.insert('issue_redirect', { repo_id: repoId, number, issue_id: issueId })
}

/** The next number of the repository's sequence, which issues and pull requests share. @throws NotFound when it was deleted a moment ago */
export function takeNumber(tx: Tx, repoId: number): number {
  const taken = tx.find<{ n: number }>('UPDATE repository SET last_issue_number = last_issue_number + 1 WHERE id = ? RETURNING last_issue_number AS n', repoId)
  if (!taken) throw new NotFound()
  return taken.n
}

export type NewIssue = Pick<IssueRow, 'repo_id' | 'number' | 'is_pull' | 'poster_id' | 'title' | 'body' | 'ref' | 'created_at' | 'updated_at'> &
  Partial<IssueRow>

export function insertIssue(tx: Tx, row: NewIssue): number {
  return tx.insert('issue', { ...row } as Row)
}

export function updateIssue(tx: Tx, id: number, change: Partial<IssueRow>): void {
  tx.update('issue', id, change as Row)
}

/** Of one or several issues, each person once, in the order of their ids. */
export function listAssigneeIds(db: Db, ...issueIds: number[]): number[] {
  const sql = 'SELECT DISTINCT user_id FROM issue_assignee WHERE issue_id IN (SELECT value FROM json_each(?)) ORDER BY user_id'
  return db.all<{ user_id: number }>(sql, JSON.stringify(issueIds)).map(({ user_id }) => user_id)
}

export function isAssigned(db: Db, issueId: number, userId: number): boolean {
  return db.find('SELECT 1 FROM issue_assignee WHERE issue_id = ? AND user_id = ?', issueId, userId) !== undefined
}

/** @returns whether it is new */
export function insertAssignee(tx: Tx, issueId: number, userId: number): boolean {
  return tx.run('INSERT OR IGNORE INTO issue_assignee (issue_id, user_id) VALUES (?, ?)', issueId, userId) > 0
}

/** @returns whether they were assigned */
export function deleteAssignee(tx: Tx, issueId: number, userId: number): boolean {
  return tx.run('DELETE FROM issue_assignee WHERE issue_id = ? AND user_id = ?', issueId, userId) > 0
}

export function insertMentions(tx: Tx, issueId: number, userIds: readonly number[]): void {
  for (const id of userIds) tx.run('INSERT OR IGNORE INTO issue_mention (user_id, issue_id) VALUES (?, ?)', id, issueId)
}
