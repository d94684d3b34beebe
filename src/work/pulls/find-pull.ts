import { accessStore, canSeeAccount, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { BadRequest, NotFound } from '#kernel/errors.ts'
import { rowIdIn } from '#kernel/ids.ts'
import type { Page } from '#kernel/page.ts'
import { findHead, parseHead } from '#repositories/forks/index.ts'
import { findIssueById, type IssueRow, listIssuesById } from '#work/issues/index.ts'
import type { PullsQuery } from './schema.ts'
import { findBetween, findMergedAs, findPull, isPullSort, type PullRow, searchPulls } from './store.ts'

/** @throws NotFound when it is none, or gone */
export function getPullRow(db: Db, issue: Pick<IssueRow, 'id'>): PullRow {
  const pull = findPull(db, issue.id)
  if (!pull) throw new NotFound()
  return pull
}

/** The first one between two branches, open or not. @throws NotFound */
export function getPullBetween({ db }: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, base: string, head: string): IssueRow {
  const found = findHead(db, viewer, repo, parseHead(head))
  if (!found) throw new NotFound()
  const id = findBetween(db, { repo_id: repo.row.id, base_branch: base, head_repo_id: found.repo.row.id, head_branch: found.ref })
  const issue = id === undefined ? undefined : findIssueById(db, id)
  if (!issue) throw new NotFound()
  return issue
}

/** The one that made this commit. @throws NotFound */
export function getPullMergedAs({ db }: Pick<Context, 'db'>, repo: RepoAccess, oid: string): IssueRow {
  const id = findMergedAs(db, repo.row.id, oid)
  const issue = id === undefined ? undefined : findIssueById(db, id)
  if (!issue) throw new NotFound()
  return issue
}

/** One page of a repository's pull requests. @throws BadRequest for a poster who is nobody whom the viewer may see; NotFound for labels and milestones that are no ids */
export function findPulls({ db }: Pick<Context, 'db'>, viewer: Viewer, repo: RepoAccess, query: PullsQuery, page: Page): { rows: IssueRow[]; total: number } {
  const { ids, total } = searchPulls(db, repo.row.id, filterOf(db, viewer, query), page)
  return { rows: listIssuesById(db, ids), total }
}

function filterOf(db: Db, viewer: Viewer, { state, sort = '', milestone, labels, poster, base_branch }: PullsQuery) {
  const isClosed = state === 'open' ? false : state === 'closed' ? true : undefined
  const labelIds = labels === undefined ? [] : [labels].flat().filter((text) => text !== '')
  return {
    sort: isPullSort(sort) ? sort : 'newest',
    isClosed,
    posterId: poster ? getPosterId(db, viewer, poster) : undefined,
    milestoneId: milestone && milestone !== '0' ? rowIdIn(milestone) : undefined,
    labelIds: labelIds.length === 0 ? undefined : labelIds.map((text) => rowIdIn(text)),
    baseBranch: base_branch || undefined,
  } as const
}

function getPosterId(db: Db, viewer: Viewer, name: string): number {
  const person = accessStore.findUserByName(db, name)
  if (!person || !canSeeAccount(db, viewer, person)) throw new BadRequest(`user does not exist [uid: 0, name: ${name.slice(0, 200)}]`)
  return person.id
}
