import { accessToAll, type RepoAccess, type Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentRepos, type Repository } from '#repositories/repos/index.ts'
import { type IssueRow, issueApiUrl, issueHtmlUrl, listIssuesById, type ViewContext } from '#work/issues/index.ts'
import type { NotificationThread } from './schema.ts'
import { listWrittenComments, type NotificationRow } from './store.ts'

type Subject = NotificationThread['subject']

/** Threads about what the viewer may read, each repository presented once. */
export function presentThreads(context: ViewContext, viewer: Viewer, rows: readonly NotificationRow[]): NotificationThread[] {
  const issues = new Map(
    listIssuesById(
      context.db,
      rows.flatMap(({ issue_id }) => issue_id ?? []),
    ).map((issue) => [issue.id, issue]),
  )
  const written = listWrittenComments(
    context.db,
    rows.map(({ comment_id }) => comment_id),
  )
  const repos = accessToAll(
    context.db,
    viewer,
    rows.map(({ repo_id }) => repo_id),
  )
  const records = new Map(presentRepos(context, viewer, [...repos.values()]).map((record) => [record.id, record]))
  return rows.flatMap((row) => {
    const [repo, record] = [repos.get(row.repo_id), records.get(row.repo_id)]
    if (!repo || !record) return []
    if (row.issue_id === null) return present(context, record, row, { ...noIssue, title: record.full_name, url: record.url, html_url: record.html_url })
    const issue = issues.get(row.issue_id)
    return issue ? present(context, record, row, presentIssue(context, repo, issue, written.has(row.comment_id ?? 0) ? row.comment_id : null)) : []
  })
}

const noIssue = { latest_comment_url: '', latest_comment_html_url: '', type: 'Repository', state: '' } as const

function presentIssue(context: ViewContext, repo: RepoAccess, issue: IssueRow, comment: number | null): Subject {
  const [url, page] = [issueApiUrl(context, repo, issue), issueHtmlUrl(context, repo, issue)]
  return {
    title: issue.title,
    url,
    latest_comment_url: comment === null ? '' : `${url.slice(0, url.lastIndexOf('/'))}/comments/${comment}`,
    html_url: page,
    latest_comment_html_url: comment === null ? '' : `${page}#issuecomment-${comment}`,
    type: issue.is_pull === 1 ? 'Pull' : 'Issue',
    state: issue.merged_at !== null ? 'merged' : issue.is_closed === 1 ? 'closed' : 'open',
  }
}

function present(context: ViewContext, record: Repository, row: NotificationRow, subject: Subject): NotificationThread {
  return {
    id: row.id,
    repository: record,
    subject,
    unread: row.status === 'unread',
    pinned: row.status === 'pinned',
    updated_at: rfc3339(row.updated_at),
    url: `${context.rootUrl}api/v1/notifications/threads/${row.id}`,
  }
}
