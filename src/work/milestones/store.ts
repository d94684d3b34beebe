import type { Db, Row, Tx, Value } from '#kernel/db.ts'
import { jsonRow } from '#kernel/json-row.ts'
import type { Page } from '#kernel/page.ts'

export interface MilestoneRow {
  id: number
  repo_id: number
  title: string
  description: string
  due_at: number | null
  closed_at: number | null
  open_issue_count: number
  closed_issue_count: number
  created_at: number
  updated_at: number
}

/** A row as JSON. */
export const milestoneJson = jsonRow<MilestoneRow>('milestone', {
  id: true,
  repo_id: true,
  title: true,
  description: true,
  due_at: true,
  closed_at: true,
  open_issue_count: true,
  closed_issue_count: true,
  created_at: true,
  updated_at: true,
})

export function findMilestone(db: Db, repoId: number, id: number): MilestoneRow | undefined {
  return db.find<MilestoneRow>('SELECT * FROM milestone WHERE id = ? AND repo_id = ?', id, repoId)
}

/** The oldest with this title: several may have it. */
export function findMilestoneByTitle(db: Db, repoId: number, title: string): MilestoneRow | undefined {
  return db.find<MilestoneRow>('SELECT * FROM milestone WHERE repo_id = ? AND title = ? ORDER BY id LIMIT 1', repoId, title)
}

/** Undated first, then what is due first. */
export function listMilestones(db: Db, repoId: number, isClosed: boolean | undefined, name: string, page: Page): { rows: MilestoneRow[]; total: number } {
  const state = isClosed === undefined ? '' : `AND closed_at IS ${isClosed ? 'NOT NULL' : 'NULL'}`
  const from = `FROM milestone WHERE repo_id = ? ${state} AND (? = '' OR instr(lower(title), ?) > 0)`
  const values: Value[] = [repoId, name, name.toLowerCase()]
  return {
    rows: db.all<MilestoneRow>(`SELECT * ${from} ORDER BY due_at, title, id LIMIT ? OFFSET ?`, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0,
  }
}

export function insertMilestone(tx: Tx, row: Omit<MilestoneRow, 'id' | 'open_issue_count' | 'closed_issue_count'>): number {
  return tx.insert('milestone', { ...row })
}

export function updateMilestone(tx: Tx, id: number, change: Row): void {
  tx.update('milestone', id, change)
}

/** Something joined or left it at that time. */
export function touchMilestone(tx: Tx, id: number, at: number): void {
  tx.run('UPDATE milestone SET updated_at = max(updated_at, ?) WHERE id = ?', at, id)
}
