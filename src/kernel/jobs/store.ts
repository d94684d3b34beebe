import type { Db, Tx } from '../db.ts'

export interface JobRow {
  id: number
  kind: string
  key: string | null
  /** JSON. */
  args: string
  /** JSON; null: not begun. */
  cursor: string | null
  /** Unix seconds; 0: as soon as its turn comes. */
  run_at: number
  /** How often it failed since it last went on. */
  attempts: number
  last_error: string
  created_at: number
}

/** One of the same kind and key makes room. @returns the job's id, which no other had */
export function putJob(tx: Tx, row: Pick<JobRow, 'kind' | 'key' | 'args' | 'cursor' | 'run_at' | 'created_at'>): number {
  if (row.key !== null) deleteByKey(tx, row.kind, row.key)
  return tx.insert('job', { ...row })
}

export function deleteByKey(tx: Tx, kind: string, key: string): void {
  tx.run('DELETE FROM job WHERE kind = ? AND key = ?', kind, key)
}

export function deleteJob(tx: Tx, id: number): void {
  tx.run('DELETE FROM job WHERE id = ?', id)
}

/** It went on: what failed before is over. */
export function moveCursor(tx: Tx, id: number, cursor: string): void {
  tx.run("UPDATE job SET cursor = ?, run_at = 0, attempts = 0, last_error = '' WHERE id = ?", cursor, id)
}

export function noteFailure(tx: Tx, id: number, failure: Pick<JobRow, 'run_at' | 'attempts' | 'last_error'>): void {
  tx.update('job', id, { ...failure })
}

/** @returns whether there is such a job */
export function hasten(tx: Tx, id: number): boolean {
  return tx.run('UPDATE job SET run_at = 0 WHERE id = ?', id) > 0
}

/** The jobs of a kind whose time has come, in turn. */
export function listDue(db: Db, kind: string, now: number, order: 'last first' | undefined, limit: number): JobRow[] {
  const direction = order === 'last first' ? 'DESC' : 'ASC'
  return db.all<JobRow>(`SELECT * FROM job WHERE kind = ? AND run_at <= ? ORDER BY run_at ${direction}, id ${direction} LIMIT ?`, kind, now, limit)
}

export function findJob(db: Db, id: number): JobRow | undefined {
  return db.find<JobRow>('SELECT * FROM job WHERE id = ?', id)
}

/** When the next job of a kind is due that is not yet; undefined: there is none. Unix seconds. */
export function findNextTime(db: Db, kind: string, now: number): number | undefined {
  return db.find<{ run_at: number }>('SELECT run_at FROM job WHERE kind = ? AND run_at > ? ORDER BY run_at LIMIT 1', kind, now)?.run_at
}

/** The kinds of which there is a job, by name: one step in the index for each. */
export function listKinds(db: Db): string[] {
  const sql = `WITH RECURSIVE found (kind) AS (
      SELECT min(kind) FROM job UNION ALL SELECT (SELECT min(kind) FROM job WHERE kind > found.kind) FROM found WHERE kind IS NOT NULL
    ) SELECT kind FROM found WHERE kind IS NOT NULL`
  return db.all<{ kind: string }>(sql).map(({ kind }) => kind)
}

/** Those that failed first, then the oldest. */
export function listJobs(db: Db, limit: number, offset: number): JobRow[] {
  return db.all<JobRow>('SELECT * FROM job ORDER BY attempts = 0, id LIMIT ? OFFSET ?', limit, offset)
}

export function countJobs(db: Db): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM job')?.n ?? 0
}
