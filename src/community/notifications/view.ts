import type { RepoAccess, Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentRepos, type Repository } from '#repositories/repos/index.ts'
import { type IssueRow, issueApiUrl, issueHtmlUrl, listIssuesById, reposOf, type ViewContext } from '#work/issues/index.ts'
import type { NotificationThread } from './schema.ts'
import { listWrittenComments, type NotificationRow } from './store.ts'

/** Threads about what the viewer may read, each repository presented once. */
export function presentThreads(context: ViewContext, viewer: Viewer, rows: readonly NotificationRow[]): NotificationThread[] {
  const issues = new Map(
    listIssuesById(
      context.db,
      rows.map(({ issue_id }) => issue_id),
    ).map((issue) => [issue.id, issue]),
  )
  const written = listWrittenComments(
    context.db,
    rows.map(({ comment_id }) => comment_id),
  )
  const repos = reposOf(context, viewer, [...issues.values()])
  const records = new Map(presentRepos(context, viewer, [...repos.values()]).map((record) => [record.id, record]))
  return rows.flatMap((row) => {
    const issue = issues.get(row.issue_id)
    const [repo, record] = [repos.get(issue?.repo_id ?? 0), records.get(issue?.repo_id ?? 0)]
    return issue && repo && record ? present(context, { repo, record }, issue, row, written) : []
  })
}

function present(
  context: ViewContext,
  { repo, record }: { repo: RepoAccess; record: Repository },
  issue: IssueRow,
  row: NotificationRow,
  written: ReadonlySet<number>,
): NotificationThread {
  const [url, page] = [issueApiUrl(context, repo, issue), issueHtmlUrl(context, repo, issue)]
  const comment = row.comment_id !== null && written.has(row.comment_id) ? row.comment_id : null
  return {
    id: row.id,
    repository: record,
    subject: {
      title: issue.title,
      url,
      latest_comment_url: comment === null ? '' : `${url.slice(0, url.lastIndexOf('/'))}/comments/${comment}`,
      html_url: page,
      latest_comment_html_url: comment === null ? '' : `${page}#issuecomment-${comment}`,
      type: issue.is_pull === 1 ? 'Pull' : 'Issue',
      state: issue.merged_at !== null ? 'merged' : issue.is_closed === 1 ? 'closed' : 'open',
    },
    unread: row.status === 'unread',
    pinned: row.status === 'pinned',
    updated_at: rfc3339(row.updated_at),
    url: `${context.rootUrl}api/v1/notifications/threads/${row.id}`,
  }
}
