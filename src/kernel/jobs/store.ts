import { pageAside } from '../database/long-list.ts'
import type { Db, LongDb, Tx } from '../db.ts'
import type { Page } from '../page.ts'

export interface JobRow {
  id: number
  kind: string
  key: string | null
  /** JSON. */
  args: string
  /** JSON; null if the job has not started. */
  cursor: string | null
  /** Unix seconds; 0: now. */
  run_at: number
  /** The number of failures since the job last made progress. */
  attempts: number
  last_error: string
  /** Unix seconds. */
  created_at: number
}

/** Inserts a job and deletes the one with the same kind and key. @returns the new job's id */
export function insertJob(tx: Tx, row: Pick<JobRow, 'kind' | 'key' | 'args' | 'cursor' | 'run_at' | 'created_at'>): number {
  if (row.key !== null) deleteJobByKey(tx, row.kind, row.key)
  return tx.insert('job', { ...row })
}

function deleteJobByKey(tx: Tx, kind: string, key: string): void {
  tx.run('DELETE FROM job WHERE kind = ? AND key = ?', kind, key)
}

export function deleteJob(tx: Tx, id: number): void {
  tx.run('DELETE FROM job WHERE id = ?', id)
}

/** Saves a job's progress and resets its failures. */
export function updateCursor(tx: Tx, id: number, cursor: string): void {
  tx.run("UPDATE job SET cursor = ?, run_at = 0, attempts = 0, last_error = '' WHERE id = ?", cursor, id)
}

export function updateFailure(tx: Tx, id: number, failure: Pick<JobRow, 'run_at' | 'attempts' | 'last_error'>): void {
  tx.update('job', id, { ...failure })
}

/** Makes a job due now. @returns false if the job does not exist */
export function makeDue(tx: Tx, id: number): boolean {
  return tx.run('UPDATE job SET run_at = 0 WHERE id = ?', id) > 0
}

export function listDueJobs(db: Db, kind: string, now: number, order: 'newest first' | undefined, limit: number): JobRow[] {
  const direction = order === 'newest first' ? 'DESC' : 'ASC'
  return db.all<JobRow>(`SELECT * FROM job WHERE kind = ? AND run_at <= ? ORDER BY run_at ${direction}, id ${direction} LIMIT ?`, kind, now, limit)
}

export function findJob(db: Db, id: number): JobRow | undefined {
  return db.find<JobRow>('SELECT * FROM job WHERE id = ?', id)
}

/** Returns when the next job of a kind becomes due, in Unix seconds; undefined if no job waits. */
export function findNextRunAt(db: Db, kind: string, now: number): number | undefined {
  return db.find<{ run_at: number }>('SELECT run_at FROM job WHERE kind = ? AND run_at > ? ORDER BY run_at LIMIT 1', kind, now)?.run_at
}

/** Returns the kinds that have jobs. The query does one index lookup per kind, however many jobs there are. */
export function listKinds(db: Db): string[] {
  const sql = `WITH RECURSIVE found (kind) AS (
      SELECT min(kind) FROM job UNION ALL SELECT (SELECT min(kind) FROM job WHERE kind > found.kind) FROM found WHERE kind IS NOT NULL
    ) SELECT kind FROM found WHERE kind IS NOT NULL`
  return db.all<{ kind: string }>(sql).map(({ kind }) => kind)
}

/** Lists failing jobs first, then the oldest. */
export function listJobs(db: LongDb, line: string, page: Page): Promise<{ rows: JobRow[]; total: number }> {
  return pageAside(db, line, { columns: '*', from: 'FROM job', order: 'attempts = 0, id', values: [] }, page)
}
