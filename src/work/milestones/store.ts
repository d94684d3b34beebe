import { lineOf, type Viewer } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Row, Tx, Value } from '#kernel/db.ts'
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

export function findMilestone(db: Db, repoId: number, id: number): MilestoneRow | undefined {
  return db.find<MilestoneRow>('SELECT * FROM live_milestone WHERE id = ? AND repo_id = ?', id, repoId)
}

/** The oldest with this title: several may have it. */
export function findMilestoneByTitle(db: Db, repoId: number, title: string): MilestoneRow | undefined {
  return db.find<MilestoneRow>('SELECT * FROM live_milestone WHERE repo_id = ? AND title = ? ORDER BY id LIMIT 1', repoId, title)
}

const part = 'CAST(closed_issue_count AS REAL) / max(1, open_issue_count + closed_issue_count)'

/** Undated first and then what is due first, unless a page asks for another order. */
const orders = {
  '': 'due_at, title',
  nearestduedate: 'due_at IS NULL, due_at, title',
  furthestduedate: 'due_at DESC, title',
  leastcomplete: `${part}, title`,
  mostcomplete: `${part} DESC, title`,
  mostissues: 'open_issue_count + closed_issue_count DESC, title',
  leastissues: 'open_issue_count + closed_issue_count, title',
  name: 'lower(title)',
} as const
export type MilestoneOrder = keyof typeof orders

/** Which milestones of a repository a list shows. */
export interface MilestoneFilter {
  isClosed?: boolean
  /** What their titles have in them. */
  name?: string
}

export function listMilestones(
  db: LongDb,
  viewer: Viewer,
  repoId: number,
  { isClosed, name = '' }: MilestoneFilter,
  page: Page,
  order: MilestoneOrder = '',
): Promise<{ rows: MilestoneRow[]; total: number }> {
  const state = isClosed === undefined ? '' : `AND closed_at IS ${isClosed ? 'NOT NULL' : 'NULL'}`
  const from = `FROM live_milestone WHERE repo_id = ? ${state} AND (? = '' OR instr(lower(title), ?) > 0)`
  const values: Value[] = [repoId, name, name.toLowerCase()]
  return pageAside(db, lineOf(viewer), { columns: '*', from, order: `${orders[order]}, id`, values }, page)
}

/** How many a repository has. */
export function countMilestones(db: Db, repoId: number): { open: number; closed: number } {
  const sql = 'SELECT count(*) - count(closed_at) AS open, count(closed_at) AS closed FROM live_milestone WHERE repo_id = ?'
  return db.find<{ open: number; closed: number }>(sql, repoId) ?? { open: 0, closed: 0 }
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
