import { allOf, type Condition } from '#kernel/condition.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { IssueRow } from './store.ts'

/** By sort key, the columns that are compared; `i` is the issue, `DIR` the direction. */
const orders = {
  latest: 'i.created_at DESC, i.id DESC',
  oldest: 'i.created_at ASC, i.id ASC',
  recentupdate: 'i.updated_at DESC, i.id DESC',
  leastupdate: 'i.updated_at ASC, i.id ASC',
  mostcomment: 'i.comment_count DESC, i.id DESC',
  leastcomment: 'i.comment_count ASC, i.id ASC',
  nearduedate: 'i.due_at IS NULL, i.due_at ASC, i.id DESC',
  farduedate: 'i.due_at IS NULL, i.due_at DESC, i.id DESC',
} as const
export type IssueSort = keyof typeof orders | 'relevance'

export function isIssueSort(text: string | undefined): text is IssueSort {
  return text === 'relevance' || (text !== undefined && Object.hasOwn(orders, text))
}

/** Whatever narrows a list down; `i` is the issue. Absent members do not. */
export interface IssueFilter {
  /** One repository, or those that a condition on `repository AS r` finds, for each kind that may be listed there. */
  where: { repoId: number } | { issues?: Condition; pulls?: Condition }
  /** Of one repository: which kinds. */
  kind?: 'issues' | 'pulls'
  isClosed?: boolean
  /** Each is a set of labels of which it carries at least one. */
  labelSets?: readonly (readonly number[])[]
  /** Carries a label of one of these names. */
  labelNames?: readonly string[]
  milestoneIds?: readonly number[]
  /** In a milestone of one of these titles, in lower case. */
  milestoneTitles?: readonly string[]
  since?: number
  before?: number
  posterId?: number
  assigneeId?: number
  mentionedId?: number
  /** What FTS5 is asked for: `search-words.ts` writes it. */
  words?: string
  /** Nothing fits. */
  isEmpty?: boolean
}

/** A search looks at as many issues, and as many comments, that hold its words: the newest. */
const MAX_FOUND = 10_000

const found = `WITH found (id, rank) AS (
  SELECT id, min(rank) FROM (
    SELECT rowid AS id, rank FROM (SELECT rowid, bm25(issue_search, 10, 2, 0) AS rank FROM issue_search WHERE issue_search MATCH ? ORDER BY rowid DESC LIMIT ${MAX_FOUND})
    UNION ALL
    SELECT comment.issue_id AS id, rank FROM
      (SELECT rowid AS comment_id, bm25(comment_search, 1, 0) AS rank FROM comment_search WHERE comment_search MATCH ? ORDER BY rowid DESC LIMIT ${MAX_FOUND})
      JOIN comment ON comment.id = comment_id
  ) GROUP BY id)`

/** The issues of one page, and how many there are on all pages. */
export function listIssues(db: Db, filter: IssueFilter, sort: IssueSort, page: Page, firstRepoId?: number): { rows: IssueRow[]; total: number } {
  if (filter.isEmpty) return { rows: [], total: 0 }
  const search = searchOf(filter)
  const { sql, values } = allOf(conditionsOf(filter))
  const from = search === undefined ? 'issue AS i' : 'found CROSS JOIN issue AS i ON i.id = found.id'
  const head = search === undefined ? '' : found
  const total = db.find<{ n: number }>(`${head} SELECT count(*) AS n FROM ${from} WHERE ${sql}`, ...(search ?? []), ...values)?.n ?? 0
  if (page.offset >= total) return { rows: [], total }
  const order = sort === 'relevance' ? (search === undefined ? orders.latest : `found.rank, ${orders.latest}`) : orders[sort]
  const first = firstRepoId === undefined ? '' : `i.repo_id <> ${Number(firstRepoId)}, `
  const rows = db.all<IssueRow>(
    `${head} SELECT i.* FROM ${from} WHERE ${sql} ORDER BY ${first}${order} LIMIT ? OFFSET ?`,
    ...(search ?? []),
    ...values,
    page.limit,
    page.offset,
  )
  return { rows, total }
}

/** The two questions to the index. */
function searchOf({ words, where }: IssueFilter): [string, string] | undefined {
  if (words === undefined) return undefined
  const within = 'repoId' in where ? `repo : "r${where.repoId}" AND ` : ''
  return [`${within}({title body} : (${words}))`, `${within}(body : (${words}))`]
}

function conditionsOf(filter: IssueFilter): Condition[] {
  const conditions = [placeOf(filter)]
  const add = (sql: string, ...values: Condition['values']) => void conditions.push({ sql: `(${sql})`, values })
  if (filter.isClosed !== undefined) add('i.is_closed = ?', Number(filter.isClosed))
  for (const ids of filter.labelSets ?? [])
    add('EXISTS (SELECT 1 FROM issue_label AS l WHERE l.issue_id = i.id AND l.label_id IN (SELECT value FROM json_each(?)))', JSON.stringify(ids))
  if (filter.labelNames)
    add(
      'EXISTS (SELECT 1 FROM issue_label AS l JOIN label ON label.id = l.label_id WHERE l.issue_id = i.id AND label.name IN (SELECT value FROM json_each(?)))',
      JSON.stringify(filter.labelNames),
    )
  if (filter.milestoneIds) add('i.milestone_id IN (SELECT value FROM json_each(?))', JSON.stringify(filter.milestoneIds))
  if (filter.milestoneTitles)
    add('i.milestone_id IN (SELECT id FROM milestone WHERE lower(title) IN (SELECT value FROM json_each(?)))', JSON.stringify(filter.milestoneTitles))
  if (filter.since !== undefined) add('i.updated_at >= ?', filter.since)
  if (filter.before !== undefined) add('i.updated_at <= ?', filter.before)
  if (filter.posterId !== undefined) add('i.poster_id = ?', filter.posterId)
  if (filter.assigneeId !== undefined) add('i.id IN (SELECT issue_id FROM issue_assignee WHERE user_id = ?)', filter.assigneeId)
  if (filter.mentionedId !== undefined) add('i.id IN (SELECT issue_id FROM issue_mention WHERE user_id = ?)', filter.mentionedId)
  return conditions
}

function placeOf({ where, kind }: IssueFilter): Condition {
  const ofKind = (one: 'issues' | 'pulls') => `i.is_pull = ${one === 'pulls' ? 1 : 0}`
  if ('repoId' in where) return { sql: kind === undefined ? 'i.repo_id = ?' : `i.repo_id = ? AND ${ofKind(kind)}`, values: [where.repoId] }
  const parts = (['issues', 'pulls'] as const).flatMap((one) => {
    const repos = where[one]
    return repos === undefined ? [] : [{ sql: `(${ofKind(one)} AND i.repo_id IN (SELECT r.id FROM repository AS r WHERE ${repos.sql}))`, values: repos.values }]
  })
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ') || 'FALSE'})`, values: parts.flatMap(({ values }) => values) }
}
