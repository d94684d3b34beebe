import { type Question, question } from '#kernel/database/questions.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import { type IssueRow, listIssuesById } from './store.ts'

export function hasOpenDependencies(db: Db, issueId: number): boolean {
  const sql = 'SELECT 1 FROM issue_dependency JOIN issue ON issue.id = depends_on WHERE issue_id = ? AND is_closed = 0'
  return db.find(sql, issueId) !== undefined
}

/** A page of issues, and how many there are on all pages. */
interface Found {
  rows: IssueRow[]
  total: number
}

/** What the issue depends on: those of its own repository first, the newest first. @param line who asks: see `LongDb` */
export function findDependencies(db: LongDb, line: string, issue: IssueRow, page: Page): Promise<Found> {
  return findBeside(db, line, issue, 'd.depends_on', 'd.issue_id', page)
}

/** What depends on the issue, in the same order. */
export function findBlocked(db: LongDb, line: string, issue: IssueRow, page: Page): Promise<Found> {
  return findBeside(db, line, issue, 'd.issue_id', 'd.depends_on', page)
}

/** They may be very many, each with a long text: those of other pages are counted alone. */
async function findBeside(db: LongDb, line: string, { id, repo_id }: IssueRow, wanted: string, given: string, page: Page): Promise<Found> {
  const from = `FROM issue_dependency AS d JOIN issue ON issue.id = ${wanted} WHERE ${given} = ?`
  const inOrder = `SELECT issue.id ${from} ORDER BY issue.repo_id <> ?, issue.created_at DESC, issue.id DESC LIMIT ? OFFSET ?`
  const found = await db.askAside(
    { ids: question<{ id: number }>(inOrder, id, repo_id, page.limit, page.offset), counted: question<{ n: number }>(`SELECT count(*) AS n ${from}`, id) },
    line,
  )
  const ids = found.ids.map((one) => one.id)
  return { rows: listIssuesById(db, ids), total: found.counted[0]?.n ?? 0 }
}

/** An issue that another one depends on, or that depends on it. */
export interface DependencyRow {
  way: 'waits' | 'blocks'
  repo_id: number
  number: number
  title: string
  is_closed: number
  is_pull: number
}

/** So many of either kind are shown beside an issue. */
const MOST_SHOWN = 50

/** What an issue waits for and what waits for it: open ones first, the newest first. */
export function dependenciesQuestion(issueId: number): Question<DependencyRow> {
  const columns = 'repo_id, number, title, is_closed, is_pull'
  const order = `ORDER BY is_closed, issue.id DESC LIMIT ${MOST_SHOWN}`
  const sql = `SELECT * FROM (SELECT 'waits' AS way, ${columns} FROM issue_dependency AS d JOIN issue ON issue.id = d.depends_on WHERE d.issue_id = ?1 ${order})
    UNION ALL SELECT * FROM (SELECT 'blocks' AS way, ${columns} FROM issue_dependency AS d JOIN issue ON issue.id = d.issue_id WHERE d.depends_on = ?1 ${order})`
  return { sql, values: [issueId] }
}

/** So many issues are gone over to find out whether one leads to another: some milliseconds. */
export const MOST_REACHED = 3000

/**
 * Whether `from` depends on `to`, directly or through others: found from either end. Undefined where too many depend on one another, on both sides,
 * to find out.
 */
export function reaches(db: Db, from: number, to: number): boolean | undefined {
  return leads(db, 'depends_on', 'issue_id', from, to) ?? leads(db, 'issue_id', 'depends_on', to, from)
}

function leads(db: Db, next: string, given: string, from: number, to: number): boolean | undefined {
  const sql = `WITH RECURSIVE reached (id) AS (SELECT ?1 UNION SELECT ${next} FROM issue_dependency JOIN reached ON ${given} = reached.id LIMIT ?3)
    SELECT count(*) AS n, max(id = ?2) AS isFound FROM reached`
  const reached = db.find<{ n: number; isFound: number }>(sql, from, to, MOST_REACHED)
  return reached?.n === MOST_REACHED && reached.isFound === 0 ? undefined : reached?.isFound === 1
}

/** How many others an issue waits for, up to `most`. */
export function countDependencies(db: Db, issueId: number, most: number): number {
  const sql = 'SELECT count(*) AS n FROM (SELECT 1 FROM issue_dependency WHERE issue_id = ? LIMIT ?)'
  return db.find<{ n: number }>(sql, issueId, most)?.n ?? 0
}

/** @returns whether it is new */
export function insertDependency(tx: Tx, issueId: number, dependsOn: number, now: number): boolean {
  return tx.run('INSERT OR IGNORE INTO issue_dependency (issue_id, depends_on, created_at) VALUES (?, ?, ?)', issueId, dependsOn, now) > 0
}

/** @returns whether it was there */
export function deleteDependency(tx: Tx, issueId: number, dependsOn: number): boolean {
  return tx.run('DELETE FROM issue_dependency WHERE issue_id = ? AND depends_on = ?', issueId, dependsOn) > 0
}
