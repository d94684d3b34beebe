import type { Question } from '#kernel/database/questions.ts'
import type { Db, Row, Tx } from '#kernel/db.ts'
import type { MergeStyle } from './merge-schema.ts'

export interface ScheduledMerge {
  issue_id: number
  repo_id: number
  doer_id: number
  style: MergeStyle
  title: string | null
  message: string | null
  head_oid: string | null
  deletes_branch: number | null
  created_at: number
}

export function scheduledQuestion(issueId: number): Question<ScheduledMerge> {
  return { sql: 'SELECT * FROM scheduled_merge WHERE issue_id = ?', values: [issueId] }
}

export function findScheduled(db: Db, issueId: number): ScheduledMerge | undefined {
  const { sql, values } = scheduledQuestion(issueId)
  return db.find<ScheduledMerge>(sql, ...values)
}

/** The ids of the issues of open pull requests with this head whose merge is scheduled. */
export function listScheduledAt(db: Db, repoId: number, headOid: string): number[] {
  const sql = `SELECT s.issue_id FROM scheduled_merge AS s JOIN pull USING (issue_id) JOIN issue ON issue.id = s.issue_id
    WHERE s.repo_id = ? AND pull.head_oid = ? AND is_closed = 0 ORDER BY s.created_at, s.issue_id`
  return db.all<{ issue_id: number }>(sql, repoId, headOid).map((row) => row.issue_id)
}

/** The same, of all that are open. */
export function listScheduled(db: Db): number[] {
  const sql = `SELECT s.issue_id FROM scheduled_merge AS s JOIN issue ON issue.id = s.issue_id
    WHERE is_closed = 0 ORDER BY s.created_at, s.issue_id`
  return db.all<{ issue_id: number }>(sql).map((row) => row.issue_id)
}

export function insertScheduled(tx: Tx, row: ScheduledMerge): void {
  tx.insert('scheduled_merge', { ...row } as Row)
}

/** Nothing happens where none is scheduled. */
export function deleteScheduled(tx: Tx, issueId: number): void {
  tx.run('DELETE FROM scheduled_merge WHERE issue_id = ?', issueId)
}

export function getPlace(db: Db): number {
  return db.find<{ event_id: number }>('SELECT event_id FROM scheduled_merge_place')?.event_id ?? 0
}

export function setPlace(tx: Tx, eventId: number): void {
  tx.run('UPDATE scheduled_merge_place SET event_id = ?', eventId)
}
