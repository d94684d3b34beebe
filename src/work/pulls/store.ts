import type { Oid } from '#git/objects/oid.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface PullRow {
  issue_id: number
  repo_id: number
  base_branch: string
  head_repo_id: number | null
  head_branch: string
  head_oid: Oid
  /** The head that it was opened with; null where that is not known. */
  first_oid: Oid | null
  merge_base: Oid | null
  merge_oid: Oid | null
  /** What it was merged onto; null where that is not known. */
  merge_onto: Oid | null
  merged_by: number | null
  allow_maintainer_edit: number
  head_hiding: number
  edits_allowed_by: number | null
  review_comment_count: number
  /** 0: from a branch; 1: pushed to `refs/for/`. */
  flow: 0 | 1
  has_merge_ref: 0 | 1
  /** The accounts whose rights commit messages of the head use in other repositories, as JSON; null when unknown. See `readActing`. */
  acting: string | null
}

/** Two branches, of which one is to be merged into the other. */
export type Between = Pick<PullRow, 'repo_id' | 'base_branch' | 'head_repo_id' | 'head_branch' | 'flow'>

export function pullQuestion(issueId: number): Question<PullRow> {
  return { sql: 'SELECT * FROM named_pull WHERE issue_id = ?', values: [issueId] }
}

export function findPull(db: Db, issueId: number): PullRow | undefined {
  const { sql, values } = pullQuestion(issueId)
  return db.find<PullRow>(sql, ...values)
}

/** Returns the head commits of pull requests by issue id. */
export function listHeads(db: Db, issueIds: readonly number[]): Map<number, Oid> {
  const rows = db.all<Pick<PullRow, 'issue_id' | 'head_oid'>>(
    'SELECT issue_id, head_oid FROM pull WHERE issue_id IN (SELECT value FROM json_each(?))',
    JSON.stringify(issueIds),
  )
  return new Map(rows.map(({ issue_id, head_oid }) => [issue_id, head_oid]))
}

export function insertPull(
  tx: Tx,
  row: Omit<PullRow, 'first_oid' | 'merge_base' | 'merge_oid' | 'merge_onto' | 'merged_by' | 'has_merge_ref' | 'review_comment_count'>,
): void {
  tx.insert('pull', { ...row, first_oid: row.head_oid } as Row)
}

export function updatePull(tx: Tx, issueId: number, change: Partial<Omit<PullRow, 'issue_id'>>): void {
  const names = Object.keys(change) as (keyof typeof change)[]
  tx.run(`UPDATE pull SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE issue_id = ?`, ...names.map((name) => change[name] ?? null), issueId)
}

/** An open pull request, with what others say of it. */
export interface OpenPull extends PullRow {
  number: number
  title: string
}

const open = 'SELECT pull.*, issue.number, issue.title FROM pull JOIN issue ON issue.id = issue_id WHERE is_closed = 0'

export function findOpenById(db: Db, issueId: number): OpenPull | undefined {
  return db.find<OpenPull>(`${open.replace('FROM pull', 'FROM named_pull AS pull')} AND issue_id = ?`, issueId)
}

/** Some of very many, by the ids of their issues: how many, after one of them, and up to which. */
interface Stretch {
  after: number
  until: number
  limit: number
}

const all: Stretch = { after: 0, until: Number.MAX_SAFE_INTEGER, limit: -1 }
const stretch = 'AND issue_id > ? AND issue_id <= ? ORDER BY issue_id LIMIT ?'

/** Open ones whose changes are on this branch, wherever they are to be merged. */
export function listOpenFrom(db: Db, headRepoId: number, branch: string, { after, until, limit } = all): OpenPull[] {
  return db.all<OpenPull>(`${open} AND head_repo_id = ? AND head_branch = ? AND flow = 0 ${stretch}`, headRepoId, branch, after, until, limit)
}

/** Some of the open ones whose changes are in a repository that they are not to be merged in. */
export function listOpenFromOutside(db: Db, headRepoId: number, limit: number): OpenPull[] {
  return db.all<OpenPull>(`${open} AND head_repo_id = ? AND pull.repo_id <> head_repo_id LIMIT ?`, headRepoId, limit)
}

/** Branches of a repository that open ones are on, or are to be merged into. */
export function listOpenBranches(db: Db, repoId: number): string[] {
  return db
    .all<{ branch: string }>(
      `SELECT head_branch AS branch FROM pull JOIN issue ON issue.id = issue_id WHERE is_closed = 0 AND head_repo_id = ?1
       UNION SELECT base_branch FROM pull JOIN issue ON issue.id = issue_id WHERE is_closed = 0 AND pull.repo_id = ?1`,
      repoId,
    )
    .map(({ branch }) => branch)
}

/** Open ones that are to be merged into this branch. */
export function listOpenInto(db: Db, repoId: number, branch: string, { after, until, limit }: Stretch): OpenPull[] {
  return db.all<OpenPull>(`${open} AND pull.repo_id = ? AND base_branch = ? ${stretch}`, repoId, branch, after, until, limit)
}

/** The newest's issue. */
export function findLastPull(db: Db): number {
  return db.find<{ id: number | null }>('SELECT max(issue_id) AS id FROM pull')?.id ?? 0
}

export function hasBranch(db: Db, repoId: number, branch: string): boolean {
  return db.find('SELECT 1 FROM ref WHERE repo_id = ? AND name = ?', repoId, `refs/heads/${branch}`) !== undefined
}

/** The branch, if it is still there, that this one was last merged into. */
export function findMergedInto(db: Db, repoId: number, branch: string): string | undefined {
  const sql = `SELECT base_branch FROM pull JOIN issue ON issue.id = issue_id JOIN ref ON ref.repo_id = pull.repo_id AND ref.name = 'refs/heads/' || base_branch
     WHERE head_repo_id = ?1 AND head_branch = ?2 AND pull.repo_id = ?1 AND flow = 0 AND merged_at IS NOT NULL ORDER BY merged_at DESC, issue_id DESC LIMIT 1`
  return db.find<{ base_branch: string }>(sql, repoId, branch)?.base_branch
}

/** Those whose merge can be fetched, of all branches or of one, the oldest first. */
export function listMergeRefs(db: Db, repoId: number, baseBranch?: string): { issue_id: number; number: number }[] {
  const sql = 'SELECT issue_id, issue.number FROM pull JOIN issue ON issue.id = issue_id WHERE has_merge_ref = 1 AND pull.repo_id = ?'
  return baseBranch === undefined ? db.all(`${sql} ORDER BY issue_id`, repoId) : db.all(`${sql} AND base_branch = ? ORDER BY issue_id`, repoId, baseBranch)
}

/** Numbers of the newest open ones whose merge is not there to be fetched. */
export function listWithoutMergeRef(db: Db, repoId: number, limit: number): number[] {
  const sql = `SELECT number FROM issue JOIN pull ON issue_id = issue.id
     WHERE issue.repo_id = ? AND is_pull = 1 AND is_closed = 0 AND has_merge_ref = 0 ORDER BY created_at DESC, issue.id DESC LIMIT ?`
  return db.all<{ number: number }>(sql, repoId, limit).map(({ number }) => number)
}

/** Open ones from a repository, or from one branch of it, into others whose writers may push there. */
export function listEditable(db: Db, headRepoId: number, branch?: string): OpenPull[] {
  const sql = `${open} AND head_repo_id = ? AND pull.repo_id <> head_repo_id AND allow_maintainer_edit = 1`
  return branch === undefined ? db.all<OpenPull>(sql, headRepoId) : db.all<OpenPull>(`${sql} AND head_branch = ?`, headRepoId, branch)
}

/** The open one between these branches; there is one at most. */
export function findOpen(db: Db, { repo_id, base_branch, head_repo_id, head_branch, flow }: Between): OpenPull | undefined {
  return db.find<OpenPull>(
    `${open} AND pull.repo_id = ? AND base_branch = ? AND head_repo_id = ? AND head_branch = ? AND flow = ?`,
    repo_id,
    base_branch,
    head_repo_id,
    head_branch,
    flow,
  )
}

/** The id of the issue of the first one between these branches, open or not. */
export function findBetween(db: Db, pull: Omit<Between, 'flow'>): number | undefined {
  const sql = 'SELECT issue_id FROM pull WHERE repo_id = ? AND base_branch = ? AND head_repo_id = ? AND head_branch = ? ORDER BY issue_id LIMIT 1'
  return db.find<{ issue_id: number }>(sql, pull.repo_id, pull.base_branch, pull.head_repo_id, pull.head_branch)?.issue_id
}

/** The id of the issue of the one that made this commit. */
export function findMergedAs(db: Db, repoId: number, mergeOid: string): number | undefined {
  return db.find<{ issue_id: number }>('SELECT issue_id FROM pull WHERE repo_id = ? AND merge_oid = ?', repoId, mergeOid)?.issue_id
}

export function listPullsOf(db: Db, issueIds: readonly number[]): PullRow[] {
  return db.all<PullRow>('SELECT * FROM named_pull WHERE issue_id IN (SELECT value FROM json_each(?))', JSON.stringify(issueIds))
}

const orders = {
  newest: 'created_at DESC, id DESC',
  oldest: 'created_at, id',
  recentupdate: 'updated_at DESC, id DESC',
  recentclose: 'closed_at DESC, id DESC',
  leastupdate: 'updated_at, id',
  mostcomment: 'comment_count DESC, id DESC',
  leastcomment: 'comment_count, id',
  priority: 'created_at DESC, id DESC',
} as const
export type PullSort = keyof typeof orders

export function isPullSort(text: string): text is PullSort {
  return Object.hasOwn(orders, text)
}

export interface PullFilter {
  sort: PullSort
  isClosed?: boolean
  posterId?: number
  milestoneId?: number
  /** Any of these labels. */
  labelIds?: readonly number[]
  baseBranch?: string
}

/** So many are sorted rather than picked out of the issues beside them. */
const FEW = 1000

/** Ids of the issues of one page, and how many there are on all pages. */
export function searchPulls(db: Db, repoId: number, filter: PullFilter, { limit, offset }: Page): { ids: number[]; total: number } {
  const conditions = ['issue.repo_id = ?', 'is_pull = 1']
  const values: (string | number)[] = [repoId]
  const add = (sql: string, value: string | number | undefined) => {
    if (value === undefined) return
    conditions.push(sql)
    values.push(value)
  }
  // Both states are named, for an index that has the pull requests of each: the many issues beside them are not looked at.
  if (filter.isClosed === undefined) conditions.push('is_closed IN (0, 1)')
  add('is_closed = ?', filter.isClosed === undefined ? undefined : Number(filter.isClosed))
  add('poster_id = ?', filter.posterId)
  // Deleted milestones and labels are still referenced.
  add('milestone_id = (SELECT id FROM live_milestone WHERE id = ?)', filter.milestoneId)
  add('id IN (SELECT issue_id FROM pull WHERE base_branch = ?)', filter.baseBranch)
  add(
    'id IN (SELECT issue_id FROM issue_label WHERE label_id IN (SELECT id FROM live_label WHERE id IN (SELECT value FROM json_each(?))))',
    filter.labelIds && JSON.stringify(filter.labelIds),
  )
  const from = `FROM issue WHERE ${conditions.join(' AND ')}`
  const total = db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, ...values)?.n ?? 0
  if (offset >= total) return { ids: [], total }
  // The plus keeps SQLite from reading all issues in order for a few pull requests among them.
  const order = total <= FEW ? orders[filter.sort].replace(/\w+_at|\w+_count|\bid\b/g, '+$&') : orders[filter.sort]
  const rows = db.all<{ id: number }>(`SELECT id ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, limit, offset)
  return { ids: rows.map(({ id }) => id), total }
}

/** What refs that move say in the timeline of a pull request. */
export function insertMoveEntry(
  tx: Tx,
  pull: PullRow,
  entry: { type: string; poster_id: number; at: number; body?: string; old_text?: string; new_text?: string },
): void {
  const { at, ...columns } = entry
  tx.insert('comment', { issue_id: pull.issue_id, repo_id: pull.repo_id, created_at: at, updated_at: at, ...columns })
}

/** Closes it because one of its branches is gone. */
export function closePull(tx: Tx, issueId: number, closedBy: number, at: number): void {
  tx.update('issue', issueId, { is_closed: 1, closed_at: at, closed_by: closedBy, updated_at: at })
}

export function touchPull(tx: Tx, issueId: number, at: number): void {
  tx.update('issue', issueId, { updated_at: at })
}
