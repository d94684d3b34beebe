import { allOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { CommentRow } from '#work/issues/index.ts'
import type { Span } from './store.ts'

/**
 * A page of the entries of an issue that a viewer may see, oldest first, and how many there are on all pages. Comments on lines are not among them.
 * @param isTold which entries the viewer may see; `comment` is the entry
 */
export async function listEntries(
  db: LongDb,
  line: string,
  { issueId, isTold }: { issueId: number; isTold: Condition },
  { since, before }: Span,
  page: Page,
): Promise<{ rows: CommentRow[]; total: number }> {
  const of = allOf([
    condition("comment.issue_id = ? AND comment.type NOT IN ('code', 'code_draft')", issueId),
    ...(since === undefined ? [] : [condition('comment.updated_at >= ?', since)]),
    ...(before === undefined ? [] : [condition('comment.updated_at <= ?', before)]),
    isTold,
  ])
  const { ids, counts } = await db.askAside(
    {
      ids: question<{ id: number }>(
        `SELECT id FROM live_comment AS comment WHERE ${of.sql} ORDER BY created_at, id LIMIT ? OFFSET ?`,
        ...of.values,
        page.limit,
        page.offset,
      ),
      counts: question<{ total: number }>(`SELECT count(*) AS total FROM live_comment AS comment WHERE ${of.sql}`, ...of.values),
    },
    line,
  )
  const rows = new Map(
    listEntriesById(
      db,
      ids.map(({ id }) => id),
    ).map((row) => [row.id, row]),
  )
  return { rows: ids.flatMap(({ id }) => rows.get(id) ?? []), total: counts[0]?.total ?? 0 }
}

/**
 * Which entries of a repository's issues a viewer may see, as `presentTimeline` shows them.
 * @param readable which repositories (`r`) they may read: their issues, their pull requests, their code
 */
export function toldCondition(repo: { id: number; ownerId: number }, readable: Record<'issues' | 'pulls' | 'code', Condition>): Condition {
  const { issues, pulls, code } = readable
  const isReadable = (id: string, { sql }: Condition) => `EXISTS (SELECT 1 FROM repository AS r WHERE r.id = ${id} AND ${sql})`
  return allOf([
    condition(
      `comment.ref_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue AS i WHERE i.id = comment.ref_issue_id AND
        iif(i.is_pull, ${isReadable('i.repo_id', pulls)}, ${isReadable('i.repo_id', issues)}))`,
      ...pulls.values,
      ...issues.values,
    ),
    condition(`comment.type <> 'commit_ref' OR ${isReadable('coalesce(comment.ref_repo_id, ?)', code)}`, repo.id, ...code.values),
    condition('comment.ref_comment_id IS NULL OR EXISTS (SELECT 1 FROM live_comment AS c WHERE c.id = comment.ref_comment_id)'),
    condition('comment.dependent_issue_id IS NULL OR EXISTS (SELECT 1 FROM issue AS i WHERE i.id = comment.dependent_issue_id)'),
    condition(
      'comment.label_id IS NULL OR EXISTS (SELECT 1 FROM live_label AS label WHERE label.id = comment.label_id AND (label.org_id IS NULL OR label.org_id = ?))',
      repo.ownerId,
    ),
  ])
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

/** A page of all entries, not filtered by viewer, as a query to be run together with others. Longer texts are null; `findText` reads them. */
export function outlineQuestion(issueId: number, page: Page): Question<Omit<CommentRow, 'body'> & { body: string | null }> {
  const columns = Object.entries(parts).map(([name, value]) => `${value} AS ${name}`)
  const entries = "live_comment WHERE issue_id = ? AND type NOT IN ('code', 'code_draft')"
  return question(`SELECT ${columns.join(', ')} FROM ${entries} ORDER BY created_at, id LIMIT ? OFFSET ?`, issueId, page.limit, page.offset)
}

/** Undefined for what is deleted. */
export function findText(db: Db, id: number): string | undefined {
  return db.find<{ body: string }>('SELECT body FROM live_comment WHERE id = ?', id)?.body
}

export function listEntriesById(db: Db, ids: readonly number[]): CommentRow[] {
  return ids.length === 0 ? [] : db.all<CommentRow>('SELECT * FROM live_comment WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
}

/** Those of the ids that are ids of live comments. */
export function listLiveIds(db: Db, ids: readonly number[]): Set<number> {
  if (ids.length === 0) return new Set()
  const rows = db.all<{ id: number }>('SELECT id FROM live_comment WHERE id IN (SELECT value FROM json_each(?))', JSON.stringify(ids))
  return new Set(rows.map(({ id }) => id))
}
