import { lineOf, type Viewer } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Answers, Question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { CommitState } from './schema.ts'

export interface StatusRow {
  id: number
  repo_id: number
  oid: string
  number: number
  state: CommitState
  context: string
  description: string
  target_url: string
  creator_id: number | null
  created_at: number
}

/** What a list may be sorted by, with what Gitea's words stand for: `leastindex` has the highest number first there, too. */
const orders = {
  newest: 'number DESC',
  oldest: 'number',
  recentupdate: 'number DESC',
  leastupdate: 'number',
  leastindex: 'number DESC',
  highestindex: 'number',
} as const
export type StatusSort = keyof typeof orders

export function isStatusSort(text: string): text is StatusSort {
  return Object.hasOwn(orders, text)
}

/** A commit of a repository. */
interface Subject {
  repoId: number
  oid: string
}

export interface StatusFilter {
  sort: StatusSort
  state?: string
}

/** Every status of a commit, those included that a later one of their context took the place of. */
export function listStatuses(
  db: LongDb,
  viewer: Viewer,
  { repoId, oid }: Subject,
  { sort, state }: StatusFilter,
  page: Page,
): Promise<{ rows: StatusRow[]; total: number }> {
  const from = `FROM commit_status WHERE repo_id = ? AND oid = ?${state === undefined ? '' : ' AND state = ?'}`
  const values = state === undefined ? [repoId, oid] : [repoId, oid, state]
  return pageAside(db, lineOf(viewer), { columns: '*', from, order: orders[sort], values }, page)
}

/** The newest status of each context. */
const newest = 'FROM commit_status INDEXED BY commit_status_newest WHERE repo_id = ?1 AND oid = ?2 AND is_newest = 1'

/** States that need attention first. */
const bySeverity: readonly CommitState[] = ['error', 'failure', 'warning', 'pending', 'success', 'skipped']
const severity = `CASE state ${bySeverity.map((state, i) => `WHEN '${state}' THEN ${i}`).join(' ')} END`

const newestOrders = { newest: 'number DESC', severity: `${severity}, number DESC` } as const

export function newestQuestion(
  repoId: number,
  oid: string,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
  order: keyof typeof newestOrders = 'newest',
): Question<StatusRow> {
  return { sql: `SELECT * ${newest} ORDER BY ${newestOrders[order]} LIMIT ?3 OFFSET ?4`, values: [repoId, oid, limit, offset] }
}

export function listNewest(db: Db, repoId: number, oid: string, page: Page): StatusRow[] {
  const { sql, values } = newestQuestion(repoId, oid, page)
  return db.all<StatusRow>(sql, ...values)
}

/** How many contexts there are whose newest status is of each state. */
export function countNewestQuestion(repoId: number, oid: string): Question<{ state: CommitState; n: number }> {
  return { sql: `SELECT state, count(*) AS n ${newest} GROUP BY state`, values: [repoId, oid] }
}

export function countNewest(db: Db, repoId: number, oid: string): { state: CommitState; n: number }[] {
  const { sql, values } = countNewestQuestion(repoId, oid)
  return db.all(sql, ...values)
}

/** The columns of a status that pages show. */
export type ShownStatus = Pick<StatusRow, 'state' | 'context' | 'description' | 'target_url'>

interface StatusesOf {
  counts: { oid: string; state: CommitState; n: number }
  statuses: ShownStatus & { oid: string }
}

const newestOf = 'FROM commit_status INDEXED BY commit_status_newest_state WHERE repo_id = ?1 AND oid = one.value AND is_newest = 1'
const worstOf = bySeverity.map((state) => `SELECT id FROM (SELECT id ${newestOf} AND state = '${state}' ORDER BY number DESC LIMIT ?3)`).join(' UNION ALL ')

/**
 * Returns, for each of several commits, the number of contexts in each state, which can be 0, and up to `most` of its newest statuses. Statuses that
 * need attention come first.
 * A list of commits with a thousand contexts each takes some milliseconds: nothing is sorted, and only what is shown is read.
 */
export function findStatusesOf(db: Db, repoId: number, oids: readonly string[], most: number): Answers<StatusesOf> {
  const commits = JSON.stringify(oids)
  return db.askTogether<StatusesOf>({
    counts: {
      sql: `SELECT one.value AS oid, two.value AS state, (SELECT count(*) ${newestOf} AND state = two.value) AS n
        FROM json_each(?2) AS one CROSS JOIN json_each(?3) AS two`,
      values: [repoId, commits, JSON.stringify(bySeverity)],
    },
    statuses: {
      sql: `SELECT oid, state, context, description, target_url FROM json_each(?2) AS one CROSS JOIN commit_status AS s
        WHERE s.id IN (SELECT id FROM (${worstOf}) LIMIT ?3) ORDER BY ${newestOrders.severity}`,
      values: [repoId, commits, most],
    },
  })
}

/** Whether anything was ever said of a commit of the repository. */
export function hasStatuses(db: Db, repoId: number): boolean {
  return db.find('SELECT 1 FROM commit_status WHERE repo_id = ? LIMIT 1', repoId) !== undefined
}

/** Whether something was said of the commit in this context. */
export function hasContext(db: Db, { repo_id, oid, context }: Pick<StatusRow, 'repo_id' | 'oid' | 'context'>): boolean {
  return db.find('SELECT 1 FROM commit_status WHERE repo_id = ? AND oid = ? AND context = ? LIMIT 1', repo_id, oid, context) !== undefined
}

/** Gives it the next number of its commit. */
export function insertStatus(tx: Tx, row: Omit<StatusRow, 'id' | 'number'>): StatusRow {
  const last = tx.find<{ n: number | null }>('SELECT max(number) AS n FROM commit_status WHERE repo_id = ? AND oid = ?', row.repo_id, row.oid)
  const numbered = { ...row, number: (last?.n ?? 0) + 1 }
  return { ...numbered, id: tx.insert('commit_status', numbered) }
}
