import type { Viewer } from '#access/index.ts'
import type { UserRecord } from '#people/users/index.ts'
import { grouped, peopleOf, type ViewContext } from '#work/issues/index.ts'
import type { PullReview } from './schema.ts'
import { listReviewers } from './store.ts'
import { presentKnownTeam } from './view.ts'

/** Finds by the id of a pull request who was asked to review it or did so; each person presented once. */
export function presentReviewers(context: ViewContext, viewer: Viewer, issueIds: readonly number[]): (issueId: number) => UserRecord[] {
  const rows = listReviewers(context.db, issueIds).filter(({ reviewer_id }) => reviewer_id !== null)
  const personOf = peopleOf(
    context,
    viewer,
    rows.map(({ reviewer_id }) => reviewer_id),
  )
  const byIssue = grouped(
    rows,
    ({ issue_id }) => issue_id,
    ({ reviewer_id }) => personOf(reviewer_id),
  )
  return (issueId) => byIssue.get(issueId) ?? []
}

/** The teams that are asked to review a pull request, as far as the viewer may know of them. */
export function presentReviewTeams(context: ViewContext, viewer: Viewer, issueId: number): NonNullable<PullReview['team']>[] {
  return listReviewers(context.db, [issueId]).flatMap(({ team_id }) => presentKnownTeam(context, viewer, team_id) ?? [])
}
