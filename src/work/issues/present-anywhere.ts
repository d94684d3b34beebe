import { accessToAll, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Issue } from './schema.ts'
import type { IssueRow } from './store.ts'
import { presentIssues, type ViewContext } from './view.ts'

/** Issues of many repositories, all of which the viewer may read. */
export function presentAnywhere(context: ViewContext, viewer: Viewer, rows: readonly IssueRow[]): Issue[] {
  const repos = reposOf(context, viewer, rows)
  return presentIssues(context, viewer, rows, ({ repo_id }) => repos.get(repo_id) as RepoAccess)
}

/** The repositories that issues are in, by id, each with what the viewer may do there. */
export function reposOf({ db }: Pick<ViewContext, 'db'>, viewer: Viewer, rows: readonly IssueRow[]): Map<number, RepoAccess> {
  return accessToAll(
    db,
    viewer,
    rows.map(({ repo_id }) => repo_id),
  )
}
