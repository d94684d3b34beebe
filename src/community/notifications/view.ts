import type { RepoAccess, Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentRepo } from '#repositories/repos/index.ts'
import { accessTo, type IssueRow, issueApiUrl, issueHtmlUrl, listIssuesById, type ViewContext } from '#work/issues/index.ts'
import type { NotificationThread } from './schema.ts'
import type { NotificationRow } from './store.ts'

/** Threads about what the viewer may read, each repository presented once. */
export function presentThreads(context: ViewContext, viewer: Viewer, rows: readonly NotificationRow[]): NotificationThread[] {
  const issues = new Map(
    listIssuesById(
      context.db,
      rows.map(({ issue_id }) => issue_id),
    ).map((issue) => [issue.id, issue]),
  )
  const places = new Map<number, { repo: RepoAccess; record: ReturnType<typeof presentRepo> }>()
  return rows.flatMap((row) => {
    const issue = issues.get(row.issue_id)
    const repo = issue && (places.get(issue.repo_id)?.repo ?? accessTo(context.db, viewer, issue.repo_id))
    if (!issue || !repo) return []
    const place = places.get(issue.repo_id) ?? { repo, record: presentRepo(context, viewer, repo) }
    places.set(issue.repo_id, place)
    return present(context, place, issue, row)
  })
}

function present(
  context: ViewContext,
  { repo, record }: { repo: RepoAccess; record: ReturnType<typeof presentRepo> },
  issue: IssueRow,
  row: NotificationRow,
): NotificationThread {
  const [url, page] = [issueApiUrl(context, repo, issue), issueHtmlUrl(context, repo, issue)]
  const comment = row.comment_id
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
