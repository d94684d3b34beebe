import type { Db, Tx } from '#kernel/db.ts'

/** What is kept of these can be restored. */
export type DeletableTable = 'comment' | 'label' | 'milestone'

export interface DeletionRow {
  id: number
  table_name: DeletableTable
  row_id: number
  repo_id: number | null
  org_id: number | null
  /** The issue that it was on. */
  issue_id: number | null
  /** Whose words they were. */
  author_id: number | null
  deleted_by: number | null
  /** In Unix seconds. */
  deleted_at: number
}

/** Where something was: in a repository, in an organization, or on an issue. */
export interface DeletionPlace {
  kind: 'repo' | 'org' | 'issue'
  id: number
}

/** With the names of people, null for those who are gone, and what of the content tells it apart. */
export interface ShownDeletion extends DeletionRow {
  author: string | null
  by: string | null
  /** JSON, by column. */
  content: string
}

const at = { repo: 'repo_id = ?', org: 'org_id = ?', issue: 'issue_id = ?' } satisfies Record<DeletionPlace['kind'], string>

export function insertDeletion(tx: Tx, row: Omit<DeletionRow, 'id'>): number {
  return tx.insert('deletion', { ...row })
}

export function updateDeletion(tx: Tx, id: number, change: Pick<DeletionRow, 'deleted_by' | 'deleted_at'>): void {
  tx.update('deletion', id, { ...change })
}

/** Of one that is being undone rows are still kept. */
const STANDS = 'NOT EXISTS (SELECT 1 FROM unsettled_row AS u WHERE u.deletion_id = d.id AND u.is_back = 1)'

/** @param since in Unix seconds: what was deleted before is as good as gone */
export function findDeletion(db: Db, table: DeletableTable, place: DeletionPlace, id: number, since: number): DeletionRow | undefined {
  const sql = `SELECT d.* FROM deletion AS d WHERE id = ? AND table_name = ? AND ${at[place.kind]} AND deleted_at > ? AND ${STANDS}`
  return db.find<DeletionRow>(sql, id, table, place.id, since)
}

/** The latest first. */
export function listDeletions(db: Db, table: DeletableTable, place: DeletionPlace, since: number, limit: number): ShownDeletion[] {
  const sql = `SELECT d.*, (SELECT name FROM user WHERE user.id = d.author_id) AS author, (SELECT name FROM user WHERE user.id = d.deleted_by) AS by,
      (SELECT content FROM deleted_row AS r WHERE r.deletion_id = d.id AND r.step = 0 AND r.table_name = d.table_name AND r.emptied IS NULL) AS content
    FROM deletion AS d WHERE ${at[place.kind]} AND table_name = ? AND deleted_at > ? AND ${STANDS} ORDER BY deleted_at DESC, id DESC LIMIT ?`
  return db.all<ShownDeletion>(sql, place.id, table, since, limit)
}

/** What was kept of it, by column. */
export function findContent(db: Db, { id, table_name }: Pick<DeletionRow, 'id' | 'table_name'>): Record<string, unknown> {
  const sql = 'SELECT content FROM deleted_row WHERE deletion_id = ? AND step = 0 AND table_name = ? AND emptied IS NULL'
  return JSON.parse(db.find<{ content: string }>(sql, id, table_name)?.content ?? '{}')
}

/** With what little is still kept of it. */
export function forgetDeletion(tx: Tx, id: number): void {
  tx.run('DELETE FROM deletion WHERE id = ?', id)
}

/** Removes some of what was kept of a row deleted before then. @returns about how many rows that was; undefined when there is no such row */
export function forgetNextBefore(tx: Tx, before: number, limit: number): number | undefined {
  const oldest = tx.find<{ id: number }>(`SELECT id FROM deletion AS d WHERE deleted_at <= ? AND ${STANDS} ORDER BY deleted_at LIMIT 1`, before)
  return oldest && forgetSome(tx, oldest.id, limit)
}

/** The same of what was deleted on issues that are gone. */
export function forgetNextOfGoneIssues(tx: Tx, limit: number): number | undefined {
  const issue = tx.find<{ id: number }>('SELECT id FROM issue_gone_with_deletions LIMIT 1')
  const next = issue && tx.find<{ id: number }>('SELECT id FROM deletion WHERE issue_id = ? LIMIT 1', issue.id)
  if (next) return forgetSome(tx, next.id, limit)
  return issue && tx.run('DELETE FROM issue_gone_with_deletions WHERE id = ?', issue.id)
}

function forgetSome(tx: Tx, id: number, limit: number): number {
  const rows = tx.run('DELETE FROM deleted_row WHERE id IN (SELECT id FROM deleted_row WHERE deletion_id = ? LIMIT ?)', id, limit)
  if (rows < limit) forgetDeletion(tx, id)
  return rows + 1
}

/** Table names are code, never input. */
export function deleteRow(tx: Tx, table: DeletableTable, id: number): void {
  tx.run(`DELETE FROM ${table} WHERE id = ?`, id)
}
