import type { Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { listAttachmentsOf, presentAttachment } from '#work/attachments/index.ts'
import { type CommentRow, grouped, type IssueRow, issueHtmlUrl, peopleOf, type RepoPlace, type ViewContext } from '#work/issues/index.ts'
import type { Comment } from './schema.ts'

export function presentComment(context: ViewContext, viewer: Viewer, repo: RepoPlace, issue: IssueRow, row: CommentRow): Comment {
  return presentComments(context, viewer, repo, [row], () => issue)[0] as Comment
}

/** Comments of one repository, each person presented once. @param issueOf what a comment was written on */
export function presentComments(
  context: ViewContext,
  viewer: Viewer,
  repo: RepoPlace,
  rows: readonly CommentRow[],
  issueOf: (row: CommentRow) => IssueRow,
  known?: KnownFiles,
): Comment[] {
  return presentCommentsAnywhere(context, viewer, rows, (row) => ({ repo, issue: issueOf(row) }), known)
}

/** Files beside comments, by their ids, for who knows them already. */
type KnownFiles = ReadonlyMap<number, Comment['assets']>

/** The same of several repositories. @param placeOf where a comment was written */
export function presentCommentsAnywhere(
  context: ViewContext,
  viewer: Viewer,
  rows: readonly CommentRow[],
  placeOf: (row: CommentRow) => { repo: RepoPlace; issue: IssueRow },
  known?: KnownFiles,
): Comment[] {
  const personOf = peopleOf(
    context,
    viewer,
    rows.map(({ poster_id }) => poster_id),
  )
  const assets = known ?? filesBeside(context, rows)
  const addresses = (row: CommentRow) => {
    const { repo, issue } = placeOf(row)
    return addressesOf(context, repo, issue, row.id)
  }
  return rows.map((row) => ({
    id: row.id,
    ...addresses(row),
    user: personOf(row.poster_id),
    original_author: '',
    original_author_id: 0,
    body: row.body,
    assets: assets.get(row.id) ?? [],
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
  }))
}

function filesBeside(context: ViewContext, rows: readonly CommentRow[]): KnownFiles {
  const found = listAttachmentsOf(
    context.db,
    'comment',
    rows.map(({ id }) => id),
  )
  return grouped(
    found,
    ({ holder_id }) => holder_id,
    (asset) => presentAttachment(context, asset),
  )
}

/** As in Gitea these are pages, whatever their names say. */
export function addressesOf(context: ViewContext, repo: RepoPlace, issue: IssueRow, commentId: number) {
  const page = issueHtmlUrl(context, repo, issue)
  const isPull = issue.is_pull === 1
  return { html_url: `${page}#issuecomment-${commentId}`, pull_request_url: isPull ? page : '', issue_url: isPull ? '' : page }
}
