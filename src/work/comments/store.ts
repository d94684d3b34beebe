import type { Db, Tx } from '#kernel/db.ts'
import { isClearing } from '#kernel/gone-rows.ts'
import type { Page } from '#kernel/page.ts'
import type { CommentRow } from '#work/issues/index.ts'

/** When they were updated, in Unix seconds; both ends belong to it. */
export interface Span {
  since?: number
  before?: number
}

const latest = Number.MAX_SAFE_INTEGER

/** What people wrote on an issue, oldest first: so many after one of them. */
export function listComments(db: Db, issueId: number, { since = 0, before = latest }: Span, limit: number, after?: CommentRow): CommentRow[] {
  const sql = `SELECT * FROM comment WHERE issue_id = ? AND type = 'comment' AND updated_at >= ? AND updated_at <= ? AND (created_at, id) > (?, ?)
    ORDER BY created_at, id LIMIT ?`
  return db.all<CommentRow>(sql, issueId, since, before, after?.created_at ?? -1, after?.id ?? 0, limit)
}

/** The same of a whole repository, for the kinds that may be read. */
export function listRepoComments(db: Db, repoId: number, kinds: { issues: boolean; pulls: boolean }, span: Span, page: Page): CommentRow[] {
  const { sql, values } = inRepo(db, repoId, kinds, span)
  return db.all<CommentRow>(`SELECT comment.* ${sql} ORDER BY comment.created_at, comment.id LIMIT ? OFFSET ?`, ...values, page.limit, page.offset)
}

export function countRepoComments(db: Db, repoId: number, kinds: { issues: boolean; pulls: boolean }, span: Span): number {
  if (span.since === undefined && span.before === undefined) {
    const columns = [...(kinds.issues ? ['issue_comment_count'] : []), ...(kinds.pulls ? ['pull_comment_count'] : [])]
    return db.find<{ n: number }>(`SELECT ${columns.join(' + ') || '0'} AS n FROM repository WHERE id = ?`, repoId)?.n ?? 0
  }
  const { sql, values } = inRepo(db, repoId, kinds, span)
  return db.find<{ n: number }>(`SELECT count(*) AS n ${sql}`, ...values)?.n ?? 0
}

function inRepo(db: Db, repoId: number, { issues, pulls }: { issues: boolean; pulls: boolean }, { since, before }: Span): { sql: string; values: number[] } {
  const isPull = '(SELECT is_pull FROM issue WHERE issue.id = comment.issue_id)'
  // Of an issue that was deleted a moment ago there may still be some.
  const ofBoth = isClearing(db, 'issue') ? `AND ${isPull} IS NOT NULL` : ''
  const kind = issues && pulls ? ofBoth : `AND ${isPull} = ${pulls ? 1 : 0}`
  const span = since === undefined && before === undefined ? '' : 'AND updated_at >= ? AND updated_at <= ?'
  const values = [repoId, ...(span === '' ? [] : [since ?? 0, before ?? latest])]
  return { sql: `FROM comment WHERE repo_id = ? AND type = 'comment' ${kind} ${span}`, values }
}

export function updateComment(tx: Tx, id: number, body: string, at: number): void {
  tx.run('UPDATE comment SET body = ?, updated_at = ?, content_version = content_version + 1 WHERE id = ?', body, at, id)
}

export function deleteComment(tx: Tx, id: number): void {
  tx.run('DELETE FROM comment WHERE id = ?', id)
}
