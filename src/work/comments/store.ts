import { isClearing } from '#kernel/database/delete-row.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { type CommentRow, isFollowing } from '#work/issues/index.ts'

/** When they were updated, in Unix seconds; both ends belong to it. */
export interface Span {
  since?: number
  before?: number
}

const latest = Number.MAX_SAFE_INTEGER

/** What people wrote on an issue, oldest first: so many after one of them. */
export function listComments(db: Db, issueId: number, { since = 0, before = latest }: Span, limit: number, after?: CommentRow): CommentRow[] {
  const sql = `SELECT * FROM live_comment WHERE issue_id = ? AND type = 'comment' AND updated_at >= ? AND updated_at <= ? AND (created_at, id) > (?, ?)
    ORDER BY created_at, id LIMIT ?`
  return db.all<CommentRow>(sql, issueId, since, before, after?.created_at ?? -1, after?.id ?? 0, limit)
}

/** Counts the comments. @param line see `LongDb` */
export async function countComments(db: LongDb, line: string, issueId: number, { since, before }: Span): Promise<number> {
  const isWhole = since === undefined && before === undefined
  const sql = `SELECT count(*) AS n FROM live_comment WHERE issue_id = ? AND type = 'comment' ${isWhole ? '' : 'AND updated_at >= ? AND updated_at <= ?'}`
  const found = question<{ n: number }>(sql, issueId, ...(isWhole ? [] : [since ?? 0, before ?? latest]))
  return (await db.askAside({ found }, line)).found[0]?.n ?? 0
}

/** The kinds of conversations that may be read. */
interface Kinds {
  issues: boolean
  pulls: boolean
}

/** The same of a whole repository: those of one page, and how many there are on all pages. @param line whose share of the thread's time it takes */
export async function listRepoComments(
  db: LongDb,
  line: string,
  repoId: number,
  kinds: Kinds,
  span: Span,
  page: Page,
): Promise<{ rows: CommentRow[]; total: number }> {
  const { sql, values } = inRepo(db, repoId, kinds, span)
  const inOrder = `SELECT comment.id ${sql} ORDER BY comment.created_at, comment.id LIMIT ? OFFSET ?`
  const ids = question<{ id: number }>(inOrder, ...values, page.limit, page.offset)
  const counted = isWhole(span) ? keptCount(repoId, kinds) : question<{ n: number }>(`SELECT count(*) AS n ${sql}`, ...values)
  const found = await db.askAside({ ids, counted }, line)
  const rows = db.lookUpAll<CommentRow>(
    'SELECT * FROM live_comment WHERE id',
    found.ids.map(({ id }) => id),
  )
  return { rows, total: found.counted[0]?.n ?? 0 }
}

function isWhole({ since, before }: Span): boolean {
  return since === undefined && before === undefined
}

function keptCount(repoId: number, { issues, pulls }: Kinds): Question<{ n: number }> {
  const columns = [...(issues ? ['issue_comment_count'] : []), ...(pulls ? ['pull_comment_count'] : [])]
  return question(`SELECT ${columns.join(' + ') || '0'} AS n FROM repository WHERE id = ?`, repoId)
}

function inRepo(db: Db, repoId: number, { issues, pulls }: Kinds, { since, before }: Span): { sql: string; values: number[] } {
  const isPull = '(SELECT is_pull FROM issue WHERE issue.id = comment.issue_id)'
  // Of an issue that was deleted a moment ago there may still be some.
  const ofBoth = isClearing(db, 'issue') ? `AND ${isPull} IS NOT NULL` : ''
  const kind = issues && pulls ? ofBoth : `AND ${isPull} = ${pulls ? 1 : 0}`
  const span = isWhole({ since, before }) ? '' : 'AND updated_at >= ? AND updated_at <= ?'
  const values = [repoId, ...(span === '' ? [] : [since ?? 0, before ?? latest])]
  return { sql: `FROM live_comment AS comment WHERE ${placed(db, repoId)} AND type = 'comment' ${kind} ${span}`, values }
}

/** While comments follow their issues to other repositories, they are where those are. */
function placed(db: Db, repoId: number): string {
  return isFollowing(db, repoId) ? 'issue_id IN (SELECT id FROM issue WHERE issue.repo_id = ?)' : 'repo_id = ?'
}

export function updateComment(tx: Tx, id: number, body: string, at: number): void {
  tx.run('UPDATE comment SET body = ?, updated_at = ?, content_version = content_version + 1 WHERE id = ?', body, at, id)
}

export function deleteComment(tx: Tx, id: number): void {
  tx.run('DELETE FROM comment WHERE id = ?', id)
}
