import type { Question } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { CommentRow } from '#work/issues/index.ts'
import type { Span } from './store.ts'

/** All that was written and that happened, oldest first; what was written on lines stands beside those. */
export function entriesQuestion(issueId: number, { since, before }: Span, page: Page): Question<CommentRow> {
  const isWhole = since === undefined && before === undefined
  // Only without these are those before the page passed over in the index.
  const span = isWhole ? '' : 'AND updated_at >= ? AND updated_at <= ?'
  const ends = isWhole ? [] : [since ?? 0, before ?? Number.MAX_SAFE_INTEGER]
  const sql = `SELECT * FROM comment WHERE issue_id = ? ${span} AND type NOT IN ('code', 'code_draft') ORDER BY created_at, id LIMIT ? OFFSET ?`
  return { sql, values: [issueId, ...ends, page.limit, page.offset] }
}

export function listEntries(db: Db, issueId: number, span: Span, page: Page): CommentRow[] {
  const { sql, values } = entriesQuestion(issueId, span, page)
  return db.all<CommentRow>(sql, ...values)
}

export function listEntriesById(db: Db, ids: readonly number[]): CommentRow[] {
  return ids.length === 0 ? [] : db.all<CommentRow>('SELECT * FROM comment WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}
