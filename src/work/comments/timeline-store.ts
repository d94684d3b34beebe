import type { Question } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { CommentRow } from '#work/issues/index.ts'
import type { Span } from './store.ts'

/** All that was written and that happened, oldest first; what was written on lines stands beside those. */
export function listEntries(db: Db, issueId: number, span: Span, page: Page): CommentRow[] {
  const { sql, values } = entriesOf('*', issueId, span, page)
  return db.all<CommentRow>(sql, ...values)
}

/** Longer texts, in bytes, are not asked for among others, which are answered as JSON in one go: two hundred may be fifty megabytes. */
const SHORT = 8192
const parts = {
  id: 'id',
  issue_id: 'issue_id',
  repo_id: 'repo_id',
  type: 'type',
  poster_id: 'poster_id',
  body: `iif(octet_length(body) > ${SHORT}, NULL, body)`,
  content_version: 'content_version',
  label_id: 'label_id',
  milestone_id: 'milestone_id',
  old_milestone_id: 'old_milestone_id',
  assignee_id: 'assignee_id',
  is_removal: 'is_removal',
  old_text: 'old_text',
  new_text: 'new_text',
  dependent_issue_id: 'dependent_issue_id',
  ref_issue_id: 'ref_issue_id',
  ref_comment_id: 'ref_comment_id',
  ref_action: 'ref_action',
  commit_oid: 'commit_oid',
  ref_repo_id: 'ref_repo_id',
  time_id: 'time_id',
  review_id: 'review_id',
  assignee_team_id: 'assignee_team_id',
  created_at: 'created_at',
  updated_at: 'updated_at',
} satisfies Record<keyof CommentRow, string>

/** The same, to be asked with other questions. Of longer texts there is null: `findText` has them. */
export function outlineQuestion(issueId: number, page: Page): Question<Omit<CommentRow, 'body'> & { body: string | null }> {
  const asked = Object.entries(parts).map(([name, value]) => `${value} AS ${name}`)
  return entriesOf(asked.join(', '), issueId, {}, page)
}

/** Undefined for what is deleted. */
export function findText(db: Db, id: number): string | undefined {
  return db.find<{ body: string }>('SELECT body FROM comment WHERE id = ?', id)?.body
}

function entriesOf(columns: string, issueId: number, { since, before }: Span, page: Page): Question<never> {
  const isWhole = since === undefined && before === undefined
  // Only without these are those before the page passed over in the index.
  const span = isWhole ? '' : 'AND updated_at >= ? AND updated_at <= ?'
  const ends = isWhole ? [] : [since ?? 0, before ?? Number.MAX_SAFE_INTEGER]
  const sql = `SELECT ${columns} FROM comment WHERE issue_id = ? ${span} AND type NOT IN ('code', 'code_draft') ORDER BY created_at, id LIMIT ? OFFSET ?`
  return { sql, values: [issueId, ...ends, page.limit, page.offset] }
}

export function listEntriesById(db: Db, ids: readonly number[]): CommentRow[] {
  return ids.length === 0 ? [] : db.all<CommentRow>('SELECT * FROM comment WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}
