import type { Db, Tx } from '#kernel/db.ts'

/** Tables whose rows are marked as deleted, so that they can be restored. Queries for live rows read the view `live_<table>`. */
export const deletableTables = ['comment', 'label', 'milestone'] as const
export type DeletableTable = (typeof deletableTables)[number]

/** The columns of a deleted row. */
export interface DeletedRow {
  id: number
  /** In Unix seconds. */
  deleted_at: number
  /** Null: the account no longer exists. */
  deleted_by: number | null
}

/** Names one deletion of a row: the row may have been restored and deleted again since. */
export interface DeletionKey {
  id: number
  /** In Unix seconds. */
  deletedAt: number
}

/** The repository, organization or issue that a row belongs to. */
export interface DeletionPlace {
  kind: 'repo' | 'org' | 'issue'
  id: number
}

const at = { repo: 'repo_id = ?', org: 'org_id = ?', issue: 'issue_id = ?' } satisfies Record<DeletionPlace['kind'], string>

/** Null in both columns restores the row. */
export function setDeleted(tx: Tx, table: DeletableTable, id: number, change: { deleted_at: number | null; deleted_by: number | null }): void {
  tx.update(table, id, change)
}

/** @param since in Unix seconds; a row that was deleted earlier can no longer be restored */
export function findDeleted<T extends object>(
  db: Db,
  table: DeletableTable,
  place: DeletionPlace,
  { id, deletedAt }: DeletionKey,
  since: number,
): (T & DeletedRow) | undefined {
  const sql = `SELECT * FROM ${table} WHERE id = ? AND deleted_at = ? AND deleted_at > ? AND ${at[place.kind]}`
  return db.find<T & DeletedRow>(sql, id, deletedAt, since, place.id)
}

/** The latest first. `author` is the poster of a comment; both names are null if the account no longer exists. */
export function listDeleted<T extends object>(
  db: Db,
  table: DeletableTable,
  place: DeletionPlace,
  since: number,
  limit: number,
): (T & DeletedRow & { by: string | null; author: string | null })[] {
  const author = table === 'comment' ? '(SELECT name FROM user WHERE user.id = d.poster_id)' : 'NULL'
  const sql = `SELECT d.*, (SELECT name FROM user WHERE user.id = d.deleted_by) AS "by", ${author} AS author
    FROM ${table} AS d WHERE ${at[place.kind]} AND deleted_at > ? ORDER BY deleted_at DESC, id DESC LIMIT ?`
  return db.all(sql, place.id, since, limit)
}

/** Ids of rows that were deleted then or earlier, the oldest deletions first. @param before in Unix seconds */
export function listDeletedBefore(db: Db, table: DeletableTable, before: number, limit: number): number[] {
  const sql = `SELECT id FROM ${table} WHERE deleted_at <= ? ORDER BY deleted_at LIMIT ?`
  return db.all<{ id: number }>(sql, before, limit).map(({ id }) => id)
}
