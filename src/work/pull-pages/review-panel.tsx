import { findKnownTeam, type RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { ActionButton, Icon, SubmitButton, TextArea, Trouble, type Visit } from '#web/index.ts'
import { type IssueRow, isRepoAdmin } from '#work/issues/index.ts'
import type { ReviewRow } from '#work/reviews/index.ts'
import { mayReview } from './may-review.ts'
import type { PullFacts } from './pull-facts.ts'
import { namesOf } from './review-remarks.tsx'

/** The last of a reviewer that says something, or asks for it. */
interface Reviewer {
  /** Of a person, or of a team that the viewer may know. */
  name: string
  isTeam: boolean
  review: ReviewRow
}

interface Panel {
  reviewers: readonly Reviewer[]
  /** Whom the viewer can ask; undefined for who asks nobody. */
  candidates: readonly string[] | undefined
  /** The teams that the viewer can ask. */
  teams: readonly string[]
  /** Whether the viewer takes verdicts out of what counts. */
  mayDismiss: boolean
  /** The viewer's name. */
  self: string | undefined
  /** Whether the viewer is offered to review it: not who opened it. */
  mayReview: boolean
  /** What each review came to, by its id. */
  verdicts: ReadonlyMap<number, string>
}

const verdictWords: Partial<Record<ReviewRow['state'], string>> = { APPROVED: 'approved these changes', REQUEST_CHANGES: 'requested changes' }

const words: Record<ReviewRow['state'], string> = {
  APPROVED: 'approved these changes',
  REQUEST_CHANGES: 'requested changes',
  REQUEST_REVIEW: 'was requested to review',
  COMMENT: '',
  PENDING: '',
}

/** Who has reviewed a pull request, and who is asked to. */
export function panelOf(
  { db }: Pick<Context, 'db'>,
  { viewer }: Visit,
  repo: RepoAccess,
  issue: IssueRow,
  facts: Pick<PullFacts, 'reviews' | 'askable'>,
): Panel {
  const rows = facts.reviews.filter(({ state }) => words[state] !== '')
  const last = new Map(rows.map((review) => [review.team_id === null ? `person ${review.reviewer_id}` : `team ${review.team_id}`, review]))
  const nameOf = namesOf(
    db,
    [...last.values()].map(({ reviewer_id }) => reviewer_id),
  )
  const reviewers = [...last.values()].flatMap((review): Reviewer[] => {
    if (review.team_id === null) return [{ review, isTeam: false, name: nameOf(review.reviewer_id) ?? 'Ghost' }]
    const team = findKnownTeam(db, viewer, review.team_id)
    return team ? [{ review, isTeam: true, name: team.row.name }] : []
  })
  const { user } = viewer
  const isOpen = issue.is_closed === 0 && repo.row.archived_at === null
  const isAsked = new Set(reviewers.map(({ review }) => review.team_id))
  const { people, teams } = facts.askable ?? { teams: [] }
  return {
    reviewers,
    candidates: people?.flatMap(({ id, name }) => (id === issue.poster_id ? [] : name)),
    teams: teams.flatMap(({ id, name }) => (isAsked.has(id) ? [] : name)),
    mayDismiss: user !== undefined && isOpen && isRepoAdmin(repo),
    self: isOpen ? user?.name : undefined,
    mayReview: isOpen && user?.id !== issue.poster_id && mayReview(viewer, repo, issue),
    verdicts: new Map(rows.flatMap(({ id, state }) => (verdictWords[state] === undefined ? [] : [[id, verdictWords[state]]]))),
  }
}

interface Props {
  visit: Visit
  address: string
  panel: Panel
  /** Why the last try did not succeed. */
  error: string | undefined
}

export function ReviewPanel({ visit, address, panel, error }: Props) {
  const { reviewers, candidates, teams } = panel
  // Beside their names is a button for that.
  const named = new Set(reviewers.flatMap(({ name, isTeam }) => (isTeam ? [] : name)))
  if (reviewers.length === 0 && candidates === undefined && !panel.mayReview) return null
  return (
    <section class="written" aria-label="Reviews">
      <Trouble text={error} />
      {reviewers.length === 0 && <p class="faint">No reviews yet</p>}
      {reviewers.length > 0 && (
        <ul class="reviewers">
          {reviewers.map((one) => (
            <ReviewerLine visit={visit} address={address} panel={panel} one={one} />
          ))}
        </ul>
      )}
      {panel.mayReview && (
        <p>
          <a class="button" href={`${address}/files#review`}>
            <Icon visit={visit} name="eye" />
            Review changes
          </a>
        </p>
      )}
      {candidates !== undefined && <AskForm address={address} field="reviewer" label="Reviewer" names={candidates.filter((name) => !named.has(name))} />}
      <AskForm address={address} field="team" label="Reviewing team" names={teams} />
    </section>
  )
}

interface AskProps {
  address: string
  field: 'reviewer' | 'team'
  label: string
  names: readonly string[]
}

/** Asks one of several for a review. */
function AskForm({ address, field, label, names }: AskProps) {
  if (names.length === 0) return null
  return (
    <form class="search" method="post" action={`${address}/reviewers`}>
      <select name={field} aria-label={label}>
        {names.map((name) => (
          <option value={name}>{name}</option>
        ))}
      </select>
      <button type="submit" name="action" value="ask">
        {field === 'team' ? 'Request review from team' : 'Request review'}
      </button>
    </form>
  )
}

function ReviewerLine({ visit, address, panel, one: { name, isTeam, review } }: Pick<Props, 'visit' | 'address' | 'panel'> & { one: Reviewer }) {
  const isAsked = review.state === 'REQUEST_REVIEW'
  return (
    <li>
      <span>
        {isTeam ? <strong>{name}</strong> : <a href={visit.to`/${name}`}>{name}</a>} {words[review.state]}
        {review.is_stale === 1 && !isAsked && <span class="mark">Stale</span>}
        {review.is_dismissed === 1 && <span class="mark">Dismissed</span>}
        {review.is_official === 1 && !isAsked && (
          <span class="mark" title="Counts for branch protection rules">
            Official
          </span>
        )}
      </span>
      {isAsked ? <WithdrawButton address={address} panel={panel} name={name} isTeam={isTeam} /> : <VerdictButtons {...{ address, panel, name, review }} />}
    </li>
  )
}

/** Who is asked may decline. */
function WithdrawButton({ address, panel, name, isTeam }: Pick<Props, 'address' | 'panel'> & Pick<Reviewer, 'name' | 'isTeam'>) {
  const isSelf = !isTeam && name === panel.self
  if (panel.candidates === undefined && !isSelf) return null
  return (
    <ActionButton action={`${address}/reviewers`} name="action" value="withdraw" fields={{ [isTeam ? 'team' : 'reviewer']: name }} to={name}>
      {isSelf ? 'Decline' : 'Remove request'}
    </ActionButton>
  )
}

function VerdictButtons({ address, panel, name, review }: Pick<Props, 'address' | 'panel'> & Pick<Reviewer, 'name' | 'review'>) {
  return (
    <>
      {panel.candidates?.includes(name) && (
        <ActionButton action={`${address}/reviewers`} name="action" value="ask" fields={{ reviewer: name }} to={name}>
          Re-request review
        </ActionButton>
      )}
      {panel.mayDismiss && <DismissForm address={address} name={name} review={review} />}
    </>
  )
}

/** Takes a verdict out of what counts, or back in. */
function DismissForm({ address, name, review }: Pick<Props, 'address'> & Pick<Reviewer, 'name' | 'review'>) {
  const action = `${address}/reviews/${review.id}/dismiss`
  if (review.is_dismissed === 1) {
    return (
      <ActionButton action={action} name="action" value="undismiss" to={name}>
        Undo dismissal
      </ActionButton>
    )
  }
  return (
    <details>
      <summary class="button" aria-label={`Dismiss review by ${name}`}>
        Dismiss
      </summary>
      <form class="fields" method="post" action={action}>
        <input type="hidden" name="action" value="dismiss" />
        <TextArea name="message" label="Reason" rows={2} />
        <SubmitButton>Dismiss review</SubmitButton>
      </form>
    </details>
  )
}
