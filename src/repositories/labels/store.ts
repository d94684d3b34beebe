import type { Db, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface LabelRow {
  id: number
  repo_id: number | null
  org_id: number | null
  name: string
  description: string
  color: string
  is_exclusive: number
  archived_at: number | null
  created_at: number
  updated_at: number
}

/** What labels belong to: a repository or an organization. */
export interface LabelOwner {
  kind: 'repo' | 'org'
  id: number
}

const held = { repo: 'repo_id = ?', org: 'org_id = ?' } satisfies Record<LabelOwner['kind'], string>

export function findLabel(db: Db, { kind, id: holderId }: LabelOwner, id: number): LabelRow | undefined {
  return db.find<LabelRow>(`SELECT * FROM live_label WHERE id = ? AND ${held[kind]}`, id, holderId)
}

/** The oldest of this very name: several may have it. */
export function findLabelByName(db: Db, { kind, id: holderId }: LabelOwner, name: string): LabelRow | undefined {
  return db.find<LabelRow>(`SELECT * FROM live_label WHERE ${held[kind]} AND name = ? ORDER BY id LIMIT 1`, holderId, name)
}

/** With how many issues and pull requests carry it, which whoever counts them keeps. */
export type CountedLabel = LabelRow & { issue_count: number }

/** By name, archived ones too. */
export function listLabels(db: Db, { kind, id: holderId }: LabelOwner, page: Page, descending = false): LabelRow[] {
  const direction = descending ? 'DESC' : 'ASC'
  const sql = `SELECT * FROM live_label WHERE ${held[kind]} ORDER BY name ${direction}, id ${direction} LIMIT ? OFFSET ?`
  return db.all<LabelRow>(sql, holderId, page.limit, page.offset)
}

/** Those that have a text in their name or description, by name, and how many there are. */
export function searchLabels(db: Db, { kind, id: holderId }: LabelOwner, text: string, page: Page): { rows: CountedLabel[]; total: number } {
  const from = `FROM live_label WHERE ${held[kind]} AND (instr(lower(name), ?) > 0 OR instr(lower(description), ?) > 0)`
  const values = [holderId, text.toLowerCase(), text.toLowerCase()] as const
  return {
    rows: db.all<CountedLabel>(`SELECT * ${from} ORDER BY name, id LIMIT ? OFFSET ?`, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0,
  }
}

export function countLabels(db: Db, { kind, id: holderId }: LabelOwner): number {
  return db.find<{ n: number }>(`SELECT count(*) AS n FROM live_label WHERE ${held[kind]}`, holderId)?.n ?? 0
}

export function insertLabel(tx: Tx, row: Omit<LabelRow, 'id'>): number {
  return tx.insert('label', { ...row })
}

/** Gives a repository labels like those of another. */
export function copyLabels(tx: Tx, fromId: number, toId: number, now: number): void {
  const columns = 'name, description, color, is_exclusive, archived_at'
  tx.run(
    `INSERT INTO label (repo_id, ${columns}, created_at, updated_at) SELECT ?, ${columns}, ?, ? FROM live_label WHERE repo_id = ? ORDER BY id`,
    toId,
    now,
    now,
    fromId,
  )
}

export function updateLabel(tx: Tx, id: number, row: Row): void {
  tx.update('label', id, row)
}
