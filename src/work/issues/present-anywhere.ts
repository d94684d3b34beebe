import { accessTo, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Issue } from './schema.ts'
import type { IssueRow } from './store.ts'
import { presentIssues, type ViewContext } from './view.ts'

/** Issues of many repositories, all of which the viewer may read. */
export function presentAnywhere(context: ViewContext, viewer: Viewer, rows: readonly IssueRow[]): Issue[] {
  const repos = new Map([...new Set(rows.map(({ repo_id }) => repo_id))].map((id) => [id, accessTo(context.db, viewer, id) as RepoAccess]))
  return presentIssues(context, viewer, rows, ({ repo_id }) => repos.get(repo_id) as RepoAccess)
}
