import { accessStore, type Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { type IssueRow, listIssuesById, mayRead, presentIssues, type RepoPlace, reposOf, type ViewContext } from '#work/issues/index.ts'
import type { TrackedTime } from './schema.ts'
import type { TimeRow } from './store.ts'

/** Times of issues that the viewer may read, each issue and person looked up once. */
export function presentTimes(context: ViewContext, viewer: Viewer, rows: readonly TimeRow[]): TrackedTime[] {
  const distinct = (pick: (row: TimeRow) => number) => [...new Set(rows.map(pick))]
  const found = listIssuesById(
    context.db,
    distinct(({ issue_id }) => issue_id),
  )
  const repos = reposOf(context, viewer, found)
  const readable = found.filter((issue) => {
    const repo = repos.get(issue.repo_id)
    return repo !== undefined && mayRead(repo, issue)
  })
  const presented = presentIssues(context, viewer, readable, ({ repo_id }: IssueRow) => repos.get(repo_id) as RepoPlace)
  const issues = new Map(presented.map((issue) => [issue.id, issue]))
  const people = new Map(
    accessStore
      .listUsersById(
        context.db,
        distinct(({ user_id }) => user_id),
      )
      .map(({ id, name }) => [id, name]),
  )
  return rows.map((row) => ({
    id: row.id,
    created: rfc3339(row.created_at),
    time: row.seconds,
    user_id: row.user_id,
    user_name: people.get(row.user_id) ?? '',
    issue_id: row.issue_id,
    issue: issues.get(row.issue_id) ?? null,
  }))
}
