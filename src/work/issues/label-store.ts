import type { Db, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { LabelRow } from '#repositories/labels/index.ts'

/** The labels that a repository's issues can carry: its own, and those of the organization that owns it. */
export function listUsableLabels(db: Db, repoId: number, ownerId: number, ids: readonly number[]): LabelRow[] {
  const sql = 'SELECT * FROM live_label WHERE id IN (SELECT value FROM json_each(?)) AND (repo_id = ? OR org_id = ?)'
  return db.all<LabelRow>(sql, JSON.stringify(ids), repoId, ownerId)
}

/** Those of them whose name or description has a text in it, a page of them, and how many there are. */
export function findChoosableLabels(db: Db, repoId: number, ownerId: number, text: string, page: Page): { rows: LabelRow[]; total: number } {
  const from = `FROM live_label WHERE (repo_id = ?1 OR org_id = ?2) AND archived_at IS NULL AND (instr(lower(name), ?3) > 0 OR instr(lower(description), ?3) > 0)`
  const values = [repoId, ownerId, text.toLowerCase()] as const
  return {
    rows: db.all<LabelRow>(`SELECT * ${from} ORDER BY name, id LIMIT ?4 OFFSET ?5`, ...values, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0,
  }
}

/** By these very names, the repository's own before those of its organization. */
export function listLabelsNamed(db: Db, repoId: number, ownerId: number, names: readonly string[]): LabelRow[] {
  const sql = 'SELECT * FROM live_label WHERE name IN (SELECT value FROM json_each(?)) AND (repo_id = ? OR org_id = ?) ORDER BY org_id IS NOT NULL, id'
  return db.all<LabelRow>(sql, JSON.stringify(names), repoId, ownerId)
}

/** Lists labels by name, ignoring case. */
export function listLabelsNamedLike(db: Db, repoId: number, ownerId: number, name: string): LabelRow[] {
  return db.all<LabelRow>('SELECT * FROM live_label WHERE name = ? COLLATE NOCASE AND (repo_id = ? OR org_id = ?) ORDER BY id', name, repoId, ownerId)
}

/** By name; none that an owner has whom its repository has left. */
export function listLabelsOf(db: Db, issueId: number): LabelRow[] {
  return db.all<LabelRow>(
    `SELECT label.* FROM issue_label AS l JOIN live_label AS label ON label.id = l.label_id
     WHERE issue_id = ? AND (label.org_id IS NULL OR label.org_id = (SELECT owner_id FROM repository WHERE repository.id = l.repo_id))
     ORDER BY label.name, label.id`,
    issueId,
  )
}

/** @returns whether it is new */
export function insertIssueLabel(tx: Tx, issueId: number, labelId: number): boolean {
  return tx.run('INSERT OR IGNORE INTO issue_label (issue_id, label_id) VALUES (?, ?)', issueId, labelId) > 0
}

/** @returns whether it was on it */
export function deleteIssueLabel(tx: Tx, issueId: number, labelId: number): boolean {
  return tx.run('DELETE FROM issue_label WHERE issue_id = ? AND label_id = ?', issueId, labelId) > 0
}

/** Takes deleted labels off the issue, too: they do not come back to it. */
export function clearIssueLabels(tx: Tx, issueId: number): void {
  tx.run('DELETE FROM issue_label WHERE issue_id = ?', issueId)
}
