import { allOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { LongDb, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { Words } from './search-words.ts'
import type { IssueRow } from './store.ts'

/** By sort key, the columns that are compared; `i` is the issue, `DIR` the direction. */
export const orders = {
  latest: 'i.created_at DESC, i.id DESC',
  oldest: 'i.created_at ASC, i.id ASC',
  recentupdate: 'i.updated_at DESC, i.id DESC',
  leastupdate: 'i.updated_at ASC, i.id ASC',
  mostcomment: 'i.comment_count DESC, i.id DESC',
  leastcomment: 'i.comment_count ASC, i.id ASC',
  nearduedate: 'coalesce(i.due_at, 9007199254740991) ASC, i.id DESC',
  farduedate: 'coalesce(i.due_at, -1) DESC, i.id DESC',
} as const
export type IssueSort = keyof typeof orders | 'relevance'

export function isIssueSort(text: string | undefined): text is IssueSort {
  return text === 'relevance' || (text !== undefined && Object.hasOwn(orders, text))
}

/** What a condition on `repository AS r` finds, for each kind that may be listed there. */
interface Everywhere {
  issues?: Condition
  pulls?: Condition
}

/** Whatever narrows a list down; `i` is the issue. Absent members do not. */
export interface IssueFilter {
  where: { repoId: number } | Everywhere
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
  /** Whom it waits for a review by, or for one of whose teams. */
  reviewRequestedId?: number
  /** Who reviewed or commented on it, and is not waited for. */
  reviewedId?: number
  /** Only what has none of these. */
  lacks?: readonly ('label' | 'milestone' | 'assignee')[]
  /** What FTS5 is asked for, in `search-store.ts`. */
  words?: Words
  /** Nothing fits. */
  isEmpty?: boolean
}

export type EverywhereFilter = IssueFilter & { where: Everywhere }

const PLAIN = 'issue AS i'

/** Where the rows of a list come from: an index that has them in order, where there is one. */
interface Source {
  from: string
  conditions: Condition[]
  /** What is counted, where that need not look at the issues themselves. */
  counted?: string
  /** What few are selected from. */
  few?: string
  /** In place of the issue's own columns. */
  order?: { latest: string; oldest: string }
}

/** Asks the store, in place or aside. */
export type Ask = <T extends object>(asked: Question<T>) => T[] | Promise<T[]>

/** @param line whose share of the thread's time it takes */
export function aside(db: LongDb, line: string): Ask {
  return async <T extends object>(found: Question<T>) => (await db.askAside({ found }, line)).found
}

/**
 * The issues of one page that a filter without words leaves, and how many there are on all pages. What has to be counted or gone through for that is
 * asked aside; all issues of one repository, whose number is known and which an index has in order, are read in place.
 */
export async function listIssues(db: LongDb, line: string, filter: IssueFilter, sort: IssueSort, page: Page): Promise<{ rows: IssueRow[]; total: number }> {
  if (filter.isEmpty) return { rows: [], total: 0 }
  const isPlain = isOfPlace(filter)
  const ask = isPlain && 'repoId' in filter.where ? <T extends object>({ sql, values }: Question<T>) => db.all<T>(sql, ...values) : aside(db, line)
  const beside = besideEverywhere(filter)
  const source = sourceOf(filter)
  const { sql, values } = allOf(source.conditions)
  const counted = beside ? countBeside(beside) : question<{ n: number }>(`SELECT count(*) AS n FROM ${source.counted ?? source.from} WHERE ${sql}`, ...values)
  const total = isPlain ? await plainTotal(ask, filter) : ((await ask(counted))[0]?.n ?? 0)
  if (page.offset >= total) return { rows: [], total }
  if (beside && (sort === 'latest' || sort === 'oldest')) return { rows: await ask(listBeside(beside, sort, page)), total }
  const [from, order] = planned(filter, sort, source, total)
  const rows = await ask<IssueRow>(question(`SELECT i.* FROM ${from} WHERE ${sql} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, page.limit, page.offset))
  return { rows, total }
}

export interface WaitingRow extends IssueRow {
  /** 1: it waits for the person's review; 0: it is theirs to do. */
  asks_review: number
}

/** What is open and waits for somebody's review, and what else is theirs to do: so many of each at most, the latest first. */
export async function listWaiting(ask: Ask, userId: number, where: Everywhere, most: number): Promise<WaitingRow[]> {
  const ofReviews = placeIn('i', where, condition(`r.id IN (SELECT repo_id FROM issue WHERE id IN (${REQUESTED}))`, userId, userId))
  const ofIssues = placeIn('side', where, condition('r.id IN (SELECT repo_id FROM issue_assignee WHERE user_id = ?)', userId))
  const asked = `SELECT i.*, 1 AS asks_review FROM ${PLAIN} WHERE i.id IN (${REQUESTED}) AND +i.is_closed = 0 AND ${ofReviews.sql}
    ORDER BY +i.created_at DESC, i.id DESC LIMIT ?`
  // Of very many that are somebody's to do only the first ones are read.
  const assigned = `SELECT side.issue_id FROM issue_assignee AS side WHERE side.user_id = ? AND side.is_closed = 0 AND side.issue_id NOT IN (${REQUESTED})
    AND ${ofIssues.sql} ORDER BY side.created_at DESC, side.issue_id DESC LIMIT ?`
  const sql = `SELECT * FROM (${asked}) UNION ALL SELECT * FROM
    (SELECT i.*, 0 AS asks_review FROM (${assigned}) AS first CROSS JOIN ${PLAIN} ON i.id = first.issue_id ORDER BY i.created_at DESC, i.id DESC)`
  return ask(question<WaitingRow>(sql, userId, userId, ...ofReviews.values, most, userId, userId, userId, ...ofIssues.values, most))
}

/** So many are sorted rather than picked out of all that there are. */
const FEW = 1000

/**
 * What is selected from and how it is ordered. Without statistics SQLite cannot tell whether a filter leaves ten issues or nearly all of
 * a hundred thousand; we can, the total being known: few are read by what narrows them down, and sorted; many in the order of an index.
 */
function planned(filter: IssueFilter, sort: IssueSort, source: Source, total: number): [from: string, order: string] {
  const order = orderOf(sort, source)
  const index = source.from !== PLAIN ? undefined : 'repoId' in filter.where ? indexInRepo(filter, sort) : indexEverywhere(filter, sort)
  if (index === undefined) return [source.from, order]
  // The plus keeps SQLite from choosing an index for its order.
  return total <= FEW ? [source.few ?? PLAIN, order.replace(/i\.\w+/g, '+$&')] : [`${PLAIN} INDEXED BY ${index}`, order]
}

/** The index that has a repository's issues in this order, narrowed to a state and a kind where it can be. */
function indexInRepo({ kind, isClosed }: IssueFilter, sort: IssueSort): string {
  if (sort === 'nearduedate') return 'issue_near_due'
  if (sort === 'farduedate') return 'issue_far_due'
  if (sort === 'mostcomment' || sort === 'leastcomment') return isClosed === undefined || kind === undefined ? 'issue_all_comments' : 'issue_comments'
  const by = sort === 'recentupdate' || sort === 'leastupdate' ? 'updated' : 'created'
  return isClosed === undefined ? `issue_all_${by}` : kind === undefined ? `issue_state_${by}` : `issue_${by}`
}

/** The same for all repositories, where there is one. */
function indexEverywhere({ isClosed }: IssueFilter, sort: IssueSort): string | undefined {
  if (sort === 'recentupdate' || sort === 'leastupdate') return 'issue_everywhere_updated'
  if (sort !== 'latest' && sort !== 'oldest') return undefined
  return isClosed === undefined ? 'issue_everywhere_all' : 'issue_everywhere'
}

function orderOf(asked: IssueSort, { order }: Source): string {
  const sort = asked === 'relevance' ? 'latest' : asked
  return (sort === 'latest' || sort === 'oldest' ? order?.[sort] : undefined) ?? orders[sort]
}

function sourceOf(filter: IssueFilter): Source {
  return bySide(filter) ?? { from: PLAIN, conditions: conditionsOf(filter), ...(filter.milestoneTitles && { counted: BY_MILESTONE, few: BY_MILESTONE }) }
}

/** Where milestones of a title are in many repositories, SQLite would rather read every open issue. */
const BY_MILESTONE = `${PLAIN} INDEXED BY issue_milestone`

/** A table beside the issues whose index has all that a filter asks for. */
interface Beside {
  table: string
  where: Condition
  /** What counts its issues: one may carry several labels of the names. */
  count: string
}

/** Issues of all repositories that carry one of the labels, or that somebody is assigned to: unless more is asked of them. */
function besideEverywhere({ where, isClosed, labelNames, assigneeId, ...more }: IssueFilter): Beside | undefined {
  const isMore = Object.values(more).some((value) => value !== undefined && value !== false)
  if ('repoId' in where || isMore || (labelNames === undefined) === (assigneeId === undefined)) return undefined
  const is = labelNames
    ? condition('side.label_id IN (SELECT id FROM label WHERE name IN (SELECT value FROM json_each(?)))', JSON.stringify(labelNames))
    : condition('side.user_id = ?', assigneeId as number)
  const state = isClosed === undefined ? [] : [condition('side.is_closed = ?', Number(isClosed))]
  return {
    table: labelNames ? 'issue_label AS side INDEXED BY issue_label_list' : 'issue_assignee AS side INDEXED BY issue_assignee_list',
    where: allOf([is, ...state, placeIn('side', where)]),
    count: labelNames ? 'DISTINCT side.issue_id' : '*',
  }
}

function countBeside({ table, where, count }: Beside): Question<{ n: number }> {
  return question(`SELECT count(${count}) AS n FROM ${table} WHERE ${where.sql}`, ...where.values)
}

/** The page is found beside them, and no other issue is read. */
function listBeside({ table, where }: Beside, sort: 'latest' | 'oldest', page: Page): Question<IssueRow> {
  const direction = sort === 'latest' ? 'DESC' : 'ASC'
  const ids = `SELECT DISTINCT side.created_at, side.issue_id FROM ${table} WHERE ${where.sql}
    ORDER BY side.created_at ${direction}, side.issue_id ${direction} LIMIT ? OFFSET ?`
  const sql = `SELECT i.* FROM (${ids}) AS side CROSS JOIN ${PLAIN} ON i.id = side.issue_id ORDER BY ${orders[sort]}`
  return question(sql, ...where.values, page.limit, page.offset)
}

/** One repository's issues that carry a label, or that somebody is assigned to: in the order of an index that has nothing else. */
function bySide({ where, kind, isClosed, labelSets, assigneeId, ...rest }: IssueFilter): Source | undefined {
  const label = labelSets?.find((set) => set.length === 1)?.[0]
  if (!('repoId' in where) || (label === undefined && assigneeId === undefined)) return undefined
  const [table, is] =
    label === undefined ? ['issue_assignee', condition('side.user_id = ?', assigneeId as number)] : ['issue_label', condition('side.label_id = ?', label)]
  const own = [is, condition('side.repo_id = ?', where.repoId)]
  if (isClosed !== undefined) own.push(condition('side.is_closed = ?', Number(isClosed)))
  if (kind !== undefined) own.push(condition('side.is_pull = ?', kind === 'pulls' ? 1 : 0))
  const others = label === undefined ? {} : { labelSets: labelSets?.filter((set) => set.length !== 1 || set[0] !== label), assigneeId }
  const more = narrowing({ where, ...others, ...rest })
  return {
    counted: more.length === 0 ? `${table} AS side` : undefined,
    from: `${table} AS side CROSS JOIN issue AS i ON i.id = side.issue_id`,
    conditions: [...own, ...more],
    order: { latest: 'side.created_at DESC, side.issue_id DESC', oldest: 'side.created_at ASC, side.issue_id ASC' },
  }
}

/** Whether a filter asks for all that there are, open or closed, of one kind or both. */
function isOfPlace({ where: _where, kind: _kind, isClosed: _isClosed, ...narrower }: IssueFilter): boolean {
  return Object.values(narrower).every((value) => value === undefined || value === false)
}

/** How many these are is what the repositories know. */
async function plainTotal(ask: Ask, { where, kind, isClosed }: IssueFilter): Promise<number> {
  const states = isClosed === undefined ? ['open', 'closed'] : [isClosed ? 'closed' : 'open']
  const of = async (unit: 'issues' | 'pulls', within: Condition) => {
    const columns = states.map((state) => `${state}_${unit === 'issues' ? 'issue' : 'pull'}_count`).join(' + ')
    const [sum] = await ask<{ n: number | null }>(question(`SELECT sum(${columns}) AS n FROM repository AS r WHERE ${within.sql}`, ...within.values))
    return sum?.n ?? 0
  }
  let total = 0
  for (const unit of ['issues', 'pulls'] as const) {
    if (kind !== undefined && kind !== unit) continue
    const within = 'repoId' in where ? condition('r.id = ?', where.repoId) : where[unit]
    if (within !== undefined) total += await of(unit, within)
  }
  return total
}

/** All that a filter asks of an issue, but its words. */
export function conditionsOf(filter: IssueFilter): Condition[] {
  const state = filter.isClosed === undefined ? [] : [condition('i.is_closed = ?', Number(filter.isClosed))]
  return [placeOf(filter), ...state, ...narrowing(filter)]
}

/** Everything but where, which kind and whether it is closed. */
function narrowing(filter: IssueFilter): Condition[] {
  const conditions: Condition[] = []
  const add = (sql: string, ...values: Value[]) => void conditions.push(condition(sql, ...values))
  for (const ids of filter.labelSets ?? [])
    add('EXISTS (SELECT 1 FROM issue_label AS l WHERE l.issue_id = i.id AND l.label_id IN (SELECT value FROM json_each(?)))', JSON.stringify(ids))
  if (filter.labelNames)
    add(
      'i.id IN (SELECT l.issue_id FROM label CROSS JOIN issue_label AS l ON l.label_id = label.id WHERE label.name IN (SELECT value FROM json_each(?)))',
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
  for (const lack of filter.lacks ?? []) add(lacking[lack])
  if (filter.reviewRequestedId !== undefined) conditions.push(waitsFor(filter.reviewRequestedId))
  if (filter.reviewedId !== undefined) conditions.push(wasReviewedBy(filter.reviewedId))
  return conditions
}

/** Those that were deleted a moment ago may still be named. */
const lacking = {
  label: 'NOT EXISTS (SELECT 1 FROM issue_label AS l CROSS JOIN label ON label.id = l.label_id WHERE l.issue_id = i.id)',
  milestone: 'NOT EXISTS (SELECT 1 FROM milestone AS m WHERE m.id = i.milestone_id)',
  assignee: 'NOT EXISTS (SELECT 1 FROM issue_assignee AS a WHERE a.issue_id = i.id)',
}

/** The ids of those that somebody is asked to review. */
const REQUESTED = `SELECT issue_id FROM review WHERE state = 'REQUEST_REVIEW' AND reviewer_id = ?
  UNION SELECT review.issue_id FROM team_member JOIN review USING (team_id) WHERE team_member.user_id = ?`

function waitsFor(userId: number): Condition {
  return condition(`i.id IN (${REQUESTED})`, userId, userId)
}

/** As in Gitea, of what others opened. */
function wasReviewedBy(userId: number): Condition {
  const sql = `i.is_pull = 1 AND i.poster_id IS NOT ? AND i.id NOT IN (${REQUESTED}) AND (
    i.id IN (SELECT issue_id FROM review WHERE reviewer_id = ? AND state IN ('APPROVED', 'COMMENT', 'REQUEST_CHANGES'))
    OR i.id IN (SELECT issue_id FROM comment WHERE poster_id = ? AND type IN ('comment', 'code')))`
  return condition(sql, userId, userId, userId, userId, userId)
}

function placeOf({ where, kind }: IssueFilter): Condition {
  if (!('repoId' in where)) return placeIn('i', where)
  return { sql: kind === undefined ? 'i.repo_id = ?' : `i.repo_id = ? AND ${ofKind('i', kind)}`, values: [where.repoId] }
}

function ofKind(row: string, kind: 'issues' | 'pulls'): string {
  return `${row}.is_pull = ${kind === 'pulls' ? 1 : 0}`
}

/** @param row what says where an issue is. @param among in which repositories they are at all, where these are few */
function placeIn(row: 'i' | 'side', where: Everywhere, among?: Condition): Condition {
  const parts = (['issues', 'pulls'] as const).flatMap((one) => {
    const repos = where[one] && (among ? allOf([among, where[one]]) : where[one])
    const sql = `(${ofKind(row, one)} AND ${row}.repo_id IN (SELECT r.id FROM repository AS r WHERE ${repos?.sql}))`
    return repos === undefined ? [] : [{ sql, values: repos.values }]
  })
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ') || 'FALSE'})`, values: parts.flatMap(({ values }) => values) }
}
