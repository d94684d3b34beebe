import { findKnownTeam, type Viewer } from '#access/index.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { presentTeam } from '#people/teams/index.ts'
import { type IssueRow, issueHtmlUrl, peopleOf, type RepoPlace, type ViewContext } from '#work/issues/index.ts'
import { type LineComment, listReviewEntries } from './comment-store.ts'
import type { PullReview, PullReviewComment } from './schema.ts'
import type { ReviewRow } from './store.ts'

export function presentReview(context: ViewContext, viewer: Viewer, repo: RepoPlace, issue: IssueRow, row: ReviewRow): PullReview {
  return presentReviews(context, viewer, repo, issue, [row])[0] as PullReview
}

/** Reviews of one pull request, each person presented once. */
export function presentReviews(context: ViewContext, viewer: Viewer, repo: RepoPlace, issue: IssueRow, rows: readonly ReviewRow[]): PullReview[] {
  const personOf = peopleOf(
    context,
    viewer,
    rows.map(({ reviewer_id }) => reviewer_id),
  )
  const entries = new Map(
    listReviewEntries(
      context.db,
      rows.map(({ id }) => id),
    ).map(({ id, review_id }) => [review_id, id]),
  )
  const page = issueHtmlUrl(context, repo, issue)
  return rows.map((row) => ({
    id: row.id,
    user: row.team_id === null ? personOf(row.reviewer_id) : null,
    team: presentKnownTeam(context, viewer, row.team_id),
    state: row.state,
    body: row.body,
    commit_id: row.commit_oid,
    stale: row.is_stale === 1,
    official: row.is_official === 1,
    dismissed: row.is_dismissed === 1,
    comments_count: row.comment_count,
    submitted_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    html_url: entries.has(row.id) ? `${page}#issuecomment-${entries.get(row.id)}` : '',
    pull_request_url: page,
  }))
}

/** A team, as far as the viewer may know that it is there. */
export function presentKnownTeam(context: ViewContext, viewer: Viewer, id: number | null): PullReview['team'] {
  const known = id === null ? undefined : findKnownTeam(context.db, viewer, id)
  return known ? presentTeam(context, known.row) : null
}

/** Comments on lines, of one pull request. */
export function presentLineComments(context: ViewContext, viewer: Viewer, repo: RepoPlace, issue: IssueRow, rows: readonly LineComment[]): PullReviewComment[] {
  const personOf = peopleOf(
    context,
    viewer,
    rows.flatMap(({ poster_id, resolver_id }) => [poster_id, resolver_id]),
  )
  const page = issueHtmlUrl(context, repo, issue)
  return rows.map((row) => ({
    id: row.id,
    body: row.body,
    user: personOf(row.poster_id),
    resolver: row.resolver_id === null ? null : personOf(row.resolver_id),
    pull_request_review_id: row.review_id ?? 0,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
    path: row.path,
    // A line of what was before stands in no head.
    commit_id: row.line < 0 ? row.original_oid : row.at_oid,
    original_commit_id: row.original_oid,
    diff_hunk: row.hunk,
    position: Math.max(0, row.line),
    original_position: Math.max(0, -row.line),
    html_url: `${page}#issuecomment-${row.id}`,
    pull_request_url: page,
  }))
}
