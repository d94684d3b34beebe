import { accessTo, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Db } from '#kernel/db.ts'
import { NotFound, Problem } from '#kernel/errors.ts'
import { pathOf, queryOf } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { mayRead } from './rules.ts'
import { findIssue, findMovedIssue, type IssueRow } from './store.ts'

/** Where a request asks for an issue. */
export interface Asked {
  viewer: Viewer
  repo: RepoAccess
  params: { index: string }
  request: Request
}

/** The issue that a path names. @throws NotFound; a redirect when it was moved and the viewer may read it where it is */
export function getIssue(context: Pick<Context, 'db'>, asked: Asked): IssueRow {
  const number = rowIdIn(asked.params.index)
  const issue = findReadable(context.db, asked.repo, number)
  if (issue) return issue
  throw findIssue(context.db, asked.repo.row.id, number) ? new NotFound() : elsewhere(context.db, asked, number)
}

/** The issue of the pull request that a path names. @throws NotFound for an issue, too; for its page, a redirect to the page of the issue */
export function getPull(context: Pick<Context, 'db'>, asked: Asked): IssueRow {
  const issue = getIssue(context, asked)
  if (issue.is_pull === 1) return issue
  const [, first, repo, , number] = pathOf(asked.request.url).split('/')
  if (asked.request.method !== 'GET' || first === 'api' || number !== asked.params.index) throw new NotFound()
  throw new Problem(303, 'This is an issue', { headers: { Location: `/${first}/${repo}/issues/${issue.number}${queryOf(asked.request.url)}` } })
}

/** An issue of this number that the viewer, as whom `repo` was found, may read. */
export function findReadable(db: Db, repo: RepoAccess, number: number): IssueRow | undefined {
  const issue = number === 0 ? undefined : findIssue(db, repo.row.id, number)
  return issue && mayRead(repo, issue) ? issue : undefined
}

/** The issue that had this number in a repository, when it was moved to where the viewer may read it. */
export function findWhereMoved(db: Db, viewer: Viewer, repo: RepoAccess, number: number): IssueRow | undefined {
  const moved = findMovedIssue(db, repo.row.id, number)
  const home = moved && accessTo(db, viewer, moved.repo_id)
  return home && mayRead(home, moved) ? moved : undefined
}

function elsewhere(db: Db, { viewer, repo, request }: Asked, number: number): Problem {
  const moved = findWhereMoved(db, viewer, repo, number)
  const home = moved && accessTo(db, viewer, moved.repo_id)
  if (!moved || !home) return new NotFound()
  const status = ['GET', 'HEAD'].includes(request.method) ? 301 : 307
  return new Problem(status, 'The issue was moved to another repository', { headers: { Location: newAddress(request, home, moved) } })
}

/** The same address with another owner, repository and number: the API's, or that of a page. */
function newAddress(request: Request, { owner, row }: RepoAccess, { number }: IssueRow): string {
  const segments = pathOf(request.url).split('/')
  const at = segments[1] === 'api' ? segments.indexOf('repos') : 0
  const place = [encodeURIComponent(owner.name), encodeURIComponent(row.name), segments[at + 3] ?? 'issues', String(number)]
  return [...segments.slice(0, at + 1), ...place, ...segments.slice(at + 5)].join('/') + queryOf(request.url)
}
