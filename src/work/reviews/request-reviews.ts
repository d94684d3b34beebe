import { accessStore, canSeeAccount, findKnownTeam, refuseBlocked, requireUser, type TeamRow, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { Forbidden, NotFound, Unprocessable } from '#kernel/errors.ts'
import { isCandidate } from '#repositories/collaborators/index.ts'
import { addEntry, canRead, change, type Deed, type IssueRow } from '#work/issues/index.ts'
import { announceReview } from './announce.ts'
import { deedNow } from './deed.ts'
import { isOfficial, isOfficialTeam, mayAskForReviews, reachesTeam } from './rules.ts'
import type { PullReviewRequestOptions } from './schema.ts'
import { deleteReview, endOfficial, findLast, findReview, findTeamRequest, insertReview, type ReviewRow, restoreOfficial } from './store.ts'

/** Whom a body names. */
interface Asked {
  people: UserRow[]
  teams: TeamRow[]
}

/**
 * Asks people and teams for reviews. @returns what is new; who is asked already is left out
 * @throws NotFound for who is not there; Unprocessable for who cannot be asked, and for a doer who may not ask; Forbidden on a closed pull request
 */
export function requestReviews(context: Context, viewer: Viewer, seen: IssueRow, names: PullReviewRequestOptions): ReviewRow[] {
  requireUser(viewer)
  return context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    return askReviewers(tx, viewer, deed, issue, names)
  })
}

/** The same as part of another deed. */
export function askReviewers(tx: Tx, viewer: Viewer, deed: Deed, issue: IssueRow, names: PullReviewRequestOptions): ReviewRow[] {
  const asked = findAsked(tx, viewer, deed, names)
  for (const person of asked.people) requireAskable(tx, deed, issue, person)
  for (const team of asked.teams) requireReach(tx, deed, issue, team)
  return askAll(tx, deed, issue, asked)
}

/** Takes requests back; who is not asked is no mistake. @throws as `requestReviews` */
export function withdrawRequests(context: Context, viewer: Viewer, seen: IssueRow, names: PullReviewRequestOptions): void {
  requireUser(viewer)
  context.db.tx((tx) => {
    const { deed, issue } = deedNow(tx, context, viewer, seen)
    const { people, teams } = findAsked(tx, viewer, deed, names)
    const mayAsk = mayAskForReviews(tx, deed, issue)
    for (const { id } of people) {
      const request = findLast(tx, issue.id, id)
      const isAsked = request?.state === 'REQUEST_REVIEW'
      // Who is asked may decline.
      if (!mayAsk && !(isAsked && id === deed.doer.id)) throw new Unprocessable("Doer can't remove reviewer")
      if (isAsked) withdraw(tx, deed, issue, request)
    }
    for (const { id } of teams) {
      if (!mayAsk) throw new Unprocessable("Doer can't remove reviewer")
      const request = findTeamRequest(tx, issue.id, id)
      if (request) withdraw(tx, deed, issue, request)
    }
  })
}

/** The people and, in an organization's repository, the teams that names stand for. @throws NotFound */
function findAsked(tx: Tx, viewer: Viewer, { repo }: Deed, { reviewers, team_reviewers }: PullReviewRequestOptions): Asked {
  const people = (reviewers ?? []).map((name) => {
    const found = name.includes('@') ? accessStore.findUserByEmail(tx, name) : accessStore.findUserByName(tx, name)
    if (!found || !(canSeeAccount(tx, viewer, found) || isCandidate(tx, found.id, repo, 'reviews'))) throw new NotFound(`User '${name}' not exist`)
    return found
  })
  if (repo.owner.kind !== 'organization') return { people, teams: [] }
  const teams = (team_reviewers ?? []).map((name) => {
    const found = accessStore.findTeamByName(tx, repo.owner.id, name)
    if (!found || !findKnownTeam(tx, viewer, found.id)) throw new NotFound(`Team '${name}' not exist`)
    return found
  })
  return { people: [...new Map(people.map((one) => [one.id, one])).values()], teams: [...new Map(teams.map((one) => [one.id, one])).values()] }
}

/** @throws Unprocessable for who cannot read it, its author and organizations, and for a doer who may not ask; Forbidden for who blocked the doer */
function requireAskable(tx: Tx, deed: Deed, issue: IssueRow, person: UserRow): void {
  if (person.kind !== 'person') throw new Unprocessable("Organization can't be added as reviewer")
  if (person.is_active !== 1 || !canRead(tx, person.id, deed.repo, issue)) throw new Unprocessable("Reviewer can't read")
  if (person.id === issue.poster_id) throw new Unprocessable("poster of pr can't be reviewer")
  if (!mayAskForReviews(tx, deed, issue)) throw new Unprocessable("Doer can't choose reviewer")
  refuseBlocked(tx, person.id, deed.doer.id)
}

/** @throws Unprocessable for a team that the repository is hidden from, and for a doer who may not ask */
function requireReach(tx: Tx, deed: Deed, issue: IssueRow, team: TeamRow): void {
  if (deed.repo.row.is_private === 1 && !reachesTeam(tx, team, deed.repo)) throw new Unprocessable("Reviewing team can't read repo")
  if (!mayAskForReviews(tx, deed, issue)) throw new Unprocessable("Doer can't choose reviewer")
}

/** Asks those who can be asked. @returns what is new. @throws Forbidden to ask once more about a closed pull request */
export function askAll(tx: Tx, deed: Deed, issue: IssueRow, { people, teams }: Asked): ReviewRow[] {
  return [...people.map((person) => ask(tx, deed, issue, person)), ...teams.map((team) => askTeam(tx, deed, issue, team))].filter(
    (review) => review !== undefined,
  )
}

function ask(tx: Tx, deed: Deed, issue: IssueRow, { id }: UserRow): ReviewRow | undefined {
  const last = findLast(tx, issue.id, id)
  if (last?.state === 'REQUEST_REVIEW') return undefined
  if (last && issue.is_closed === 1) throw new Forbidden('review requests are not allowed on a closed pull request')
  const isCounted = isOfficial(tx, deed.repo, issue, id)
  // Until they answer, what they have said before does not count.
  if (isCounted) endOfficial(tx, issue.id, id)
  return open(tx, deed, issue, { reviewer_id: id, is_official: Number(isCounted) }, { assignee_id: id })
}

function askTeam(tx: Tx, deed: Deed, issue: IssueRow, team: TeamRow): ReviewRow | undefined {
  if (findTeamRequest(tx, issue.id, team.id)) return undefined
  return open(tx, deed, issue, { team_id: team.id, is_official: Number(isOfficialTeam(tx, issue, team)) }, { assignee_team_id: team.id })
}

type Entry = { assignee_id: number } | { assignee_team_id: number }

function open(tx: Tx, deed: Deed, issue: IssueRow, columns: Partial<ReviewRow>, entry: Entry): ReviewRow {
  const id = insertReview(tx, { issue_id: issue.id, state: 'REQUEST_REVIEW', created_at: deed.at, ...columns })
  const review = findReview(tx, id) as ReviewRow
  const entryId = addEntry(tx, deed, issue, 'review_request', { review_id: id, ...entry })
  announceReview(tx, deed, change(tx, deed, issue), review, 'requested', { entryId })
  return review
}

function withdraw(tx: Tx, deed: Deed, issue: IssueRow, request: ReviewRow): void {
  deleteReview(tx, request.id)
  const { reviewer_id: personId, team_id: teamId } = request
  if (personId !== null && isOfficial(tx, deed.repo, issue, personId)) restoreOfficial(tx, issue.id, personId)
  const entryId = addEntry(tx, deed, issue, 'review_request', { assignee_id: personId, assignee_team_id: teamId, is_removal: 1 })
  announceReview(tx, deed, change(tx, deed, issue), request, 'request_removed', { entryId })
}
