import type { RepoAccess } from '#access/index.ts'
import type { Context } from '#context.ts'
import { listCandidates } from '#repositories/collaborators/index.ts'
import type { Visit } from '#web/index.ts'
import { type IssueRow, isWriter } from '#work/issues/index.ts'
import { listReviews, presentReviews } from '#work/reviews/index.ts'

type Review = ReturnType<typeof presentReviews>[number]

interface Panel {
  /** The last of each reviewer that says something, or asks for it. */
  reviews: readonly Review[]
  /** Whom the viewer can ask; undefined for who asks nobody. */
  candidates: readonly string[] | undefined
  /** What each review came to, by its id. */
  verdicts: ReadonlyMap<number, string>
}

/** As many reviews are looked at, and people are there to choose from. */
const MAX_REVIEWS = 500
const MAX_CANDIDATES = 100

const verdictWords: Partial<Record<Review['state'], string>> = { APPROVED: 'approved this', REQUEST_CHANGES: 'asked for changes' }

const words: Record<Review['state'], string> = {
  APPROVED: 'approved this',
  REQUEST_CHANGES: 'asks for changes',
  REQUEST_REVIEW: 'was asked for a review',
  COMMENT: '',
  PENDING: '',
}

/** Who has reviewed a pull request, and who is asked to. */
export function panelOf(context: Pick<Context, 'db'>, { viewer, root }: Visit, repo: RepoAccess, issue: IssueRow): Panel {
  const rows = listReviews(context.db, issue.id, { page: 1, limit: MAX_REVIEWS, offset: 0 }).filter(({ state }) => words[state] !== '')
  const reviews = presentReviews({ db: context.db, rootUrl: root }, viewer, repo, issue, rows)
  const last = new Map(reviews.map((review) => [review.team ? `team ${review.team.id}` : review.user?.login, review]))
  const user = viewer.user
  const mayAsk = user !== undefined && issue.is_closed === 0 && repo.row.archived_at === null && (issue.poster_id === user.id || isWriter(repo, issue))
  const candidates = mayAsk ? listCandidates(context.db, viewer, repo, 'reviews').filter(({ id }) => id !== issue.poster_id) : undefined
  const verdicts = new Map(rows.flatMap(({ id, state }) => (verdictWords[state] === undefined ? [] : [[id, verdictWords[state]]])))
  return { reviews: [...last.values()], candidates: candidates?.slice(0, MAX_CANDIDATES).map(({ name }) => name), verdicts }
}

export function ReviewPanel({ address, panel: { reviews, candidates } }: { address: string; panel: Panel }) {
  if (reviews.length === 0 && candidates === undefined) return null
  return (
    <section class="written" aria-label="Reviews">
      {reviews.length === 0 && <p class="faint">Nobody has reviewed this.</p>}
      {reviews.map((review) => (
        <p>
          {review.team?.name ?? review.user?.login} {words[review.state]}
          {review.stale && review.state !== 'REQUEST_REVIEW' && <span class="mark">Before the last changes</span>}
          {review.dismissed && <span class="mark">Dismissed</span>}
          {review.official && review.state !== 'REQUEST_REVIEW' && <span class="mark">Counts</span>}
        </p>
      ))}
      {candidates !== undefined && candidates.length > 0 && (
        <form class="search" method="post" action={`${address}/reviewers`}>
          <select name="reviewer" aria-label="Whom to ask">
            {candidates.map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
          <button type="submit" name="action" value="ask">
            Ask for a review
          </button>
          <button type="submit" name="action" value="withdraw">
            No longer ask
          </button>
        </form>
      )}
    </section>
  )
}
