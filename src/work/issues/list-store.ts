import { allOf, type Condition, condition } from '#kernel/database/condition.ts'
import { type Question, question } from '#kernel/database/questions.ts'
import type { LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { type Criterion, conditionOf, REQUESTED, type TextPlace } from './criteria-store.ts'
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

/** The query of the full-text index; see `search-store.ts`. */
export interface TextSearch {
  words: Words
  places: readonly TextPlace[]
  /** Numbers among the words: the issues with these numbers come first. */
  numbers: readonly number[]
}

/** Which issues a list has. */
export interface IssueFilter {
  where: { repoId: number } | Everywhere
  /** Of one repository: which kinds. */
  kind?: 'issues' | 'pulls' | undefined
  isClosed?: boolean | undefined
  /** All of them have to match. */
  criteria: readonly Criterion[]
  text?: TextSearch | undefined
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
  counted?: string | undefined
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
  const isPlain = filter.criteria.length === 0 && filter.text === undefined
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
  const isByMilestone = filter.criteria.some(({ kind }) => kind === 'milestone title')
  return bySide(filter) ?? { from: PLAIN, conditions: conditionsOf(filter), ...(isByMilestone && { counted: BY_MILESTONE, few: BY_MILESTONE }) }
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
function besideEverywhere({ where, isClosed, criteria, text }: IssueFilter): Beside | undefined {
  const [criterion, more] = criteria
  if ('repoId' in where || criterion === undefined || more !== undefined || text !== undefined) return undefined
  const names = criterion.kind === 'label name' && !criterion.ignoresCase ? criterion.names : undefined
  const assignee = onlyAssignee(criterion)
  if (names === undefined && assignee === undefined) return undefined
  const is =
    names === undefined
      ? condition('side.user_id = ?', assignee as number)
      : condition('side.label_id IN (SELECT id FROM live_label WHERE name IN (SELECT value FROM json_each(?)))', JSON.stringify(names))
  const state = isClosed === undefined ? [] : [condition('side.is_closed = ?', Number(isClosed))]
  return {
    table: names ? 'issue_label AS side INDEXED BY issue_label_list' : 'issue_assignee AS side INDEXED BY issue_assignee_list',
    where: allOf([is, ...state, placeIn('side', where)]),
    count: names ? 'DISTINCT side.issue_id' : '*',
  }
}

function onlyLabel(criterion: Criterion): number | undefined {
  return criterion.kind === 'label' && criterion.ids.length === 1 ? criterion.ids[0] : undefined
}

function onlyAssignee(criterion: Criterion): number | undefined {
  return criterion.kind === 'assignee' && criterion.ids.length === 1 ? criterion.ids[0] : undefined
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
function bySide({ where, kind, isClosed, criteria }: IssueFilter): Source | undefined {
  const one = criteria.find((criterion) => onlyLabel(criterion) !== undefined) ?? criteria.find((criterion) => onlyAssignee(criterion) !== undefined)
  if (!('repoId' in where) || one === undefined) return undefined
  const label = onlyLabel(one)
  const [table, is] =
    label === undefined
      ? ['issue_assignee', condition('side.user_id = ?', onlyAssignee(one) as number)]
      : ['issue_label', condition('side.label_id = ?', label)]
  const own = [is, condition('side.repo_id = ?', where.repoId)]
  if (isClosed !== undefined) own.push(condition('side.is_closed = ?', Number(isClosed)))
  if (kind !== undefined) own.push(condition('side.is_pull = ?', kind === 'pulls' ? 1 : 0))
  const more = criteria.filter((criterion) => criterion !== one).map(conditionOf)
  return {
    counted: more.length === 0 ? `${table} AS side` : undefined,
    from: `${table} AS side CROSS JOIN issue AS i ON i.id = side.issue_id`,
    conditions: [...own, ...more],
    order: { latest: 'side.created_at DESC, side.issue_id DESC', oldest: 'side.created_at ASC, side.issue_id ASC' },
  }
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
  return [placeOf(filter), ...state, ...filter.criteria.map(conditionOf)]
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
