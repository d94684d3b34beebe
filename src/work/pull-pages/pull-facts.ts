import type { RepoAccess, TeamRow, UserRow } from '#access/index.ts'
import { type BranchRule, ruleAmong, rulesQuestion } from '#code/protection/index.ts'
import { countNewestQuestion, newestQuestion, type StateCounts, type StatusRow } from '#code/statuses/index.ts'
import type { Context } from '#context.ts'
import type { Oid } from '#git/objects/oid.ts'
import { HEADS } from '#git/refs/names.ts'
import { type Answers, nothingAsked, type Questions } from '#kernel/database/questions.ts'
import { NotFound } from '#kernel/errors.ts'
import { candidateNamesQuestion } from '#repositories/collaborators/index.ts'
import { refsQuestion } from '#repositories/refs/index.ts'
import type { Visit } from '#web/index.ts'
import type { IssueRow } from '#work/issues/index.ts'
import {
  type MergeFacts,
  movesQuestion,
  type PullRow,
  pullQuestion,
  type ScheduledMerge,
  type StackedPull,
  scheduledQuestion,
  stackAmong,
  stackQuestion,
} from '#work/pulls/index.ts'
import {
  askableTeamsQuestion,
  askersQuestion,
  endsQuestion,
  isSettled,
  type ReviewRow,
  reviewsQuestion,
  settleReviews,
  standingAmong,
} from '#work/reviews/index.ts'

/** As many reviews are looked at, people and teams are there to choose from, and checks are shown. */
const MAX_REVIEWS = 500
const MAX_CANDIDATES = 100
const MAX_CHECKS = 100

/** Who could be asked for a review. */
interface Askable {
  askers: object
  people: Pick<UserRow, 'id' | 'name'>
  teams: TeamRow
}

/** What the rooms know of a pull request that its conversation shows, asked of the store at once. */
export interface PullFacts {
  pull: PullRow
  /** The one for its base. */
  rule: BranchRule | undefined
  scheduled: ScheduledMerge | undefined
  stack: StackedPull[]
  /** How often it was pushed to since it was opened. */
  pushes: number
  /** Oldest first. */
  reviews: ReviewRow[]
  /** Whom the viewer can ask for a review; undefined for who asks nobody. */
  askable: Pick<Answers<Askable>, 'people' | 'teams'> | undefined
  /** The newest statuses of its last commit, those that need attention first; not more than are shown. */
  checks: StatusRow[]
  /** Of all of them, by state. */
  checkCounts: StateCounts
  /** What a rule for its base would be held against, as far as all of it was found. */
  known: NonNullable<MergeFacts['known']>
  /** Where its base and the default branch are; undefined where they are not. */
  baseTip: Oid | undefined
  defaultTip: Oid | undefined
}

/** With the reviews as they stand now. @throws NotFound when it is none, or gone */
export async function findPullFacts(context: Context, visit: Visit, repo: RepoAccess, issue: IssueRow): Promise<PullFacts> {
  const { db } = context
  const place = { issueId: issue.id, repoId: repo.row.id, defaultBranch: repo.row.default_branch }
  const questions = {
    ends: endsQuestion(issue.id),
    pulls: pullQuestion(issue.id),
    rules: rulesQuestion(repo.row.id),
    scheduled: scheduledQuestion(issue.id),
    stack: stackQuestion(place),
    moves: movesQuestion(issue.id),
    reviews: reviewsQuestion(issue.id, { limit: MAX_REVIEWS, offset: 0 }),
    ...askableQuestions(context, visit, repo, issue),
  }
  let found = db.askTogether(questions)
  if (found.ends.some((ends) => !isSettled(ends))) {
    await settleReviews(context, issue.id)
    found = db.askTogether(questions)
  }
  const [pull] = found.pulls
  if (!pull) throw new NotFound()
  const [base, own] = [HEADS + pull.base_branch, HEADS + repo.row.default_branch]
  const { refs, checks, checkCounts } = db.askTogether({
    refs: refsQuestion(repo.row.id, [base, own]),
    checks: newestQuestion(repo.row.id, pull.head_oid, { limit: MAX_CHECKS, offset: 0 }, 'severity'),
    checkCounts: countNewestQuestion(repo.row.id, pull.head_oid),
  })
  const tipOf = (name: string) => refs.find((ref) => ref.name === name)?.oid
  return {
    known: {
      reviews: found.reviews.length < MAX_REVIEWS ? standingAmong(found.ends[0], found.reviews) : undefined,
      checks: checks.length < MAX_CHECKS ? checks : undefined,
    },
    ...{ pull, checks, checkCounts, baseTip: tipOf(base), defaultTip: tipOf(own) },
    rule: ruleAmong(found.rules, pull.base_branch),
    scheduled: found.scheduled[0],
    stack: stackAmong(found.stack, pull),
    pushes: found.moves[0]?.pushes ?? 0,
    reviews: found.reviews,
    askable: found.askers.length > 0 ? found : undefined,
  }
}

function askableQuestions({ db }: Pick<Context, 'db'>, { viewer }: Visit, repo: RepoAccess, issue: IssueRow): Questions<Askable> {
  const { user } = viewer
  if (!user || issue.is_closed === 1 || repo.row.archived_at !== null) return { askers: nothingAsked, people: nothingAsked, teams: nothingAsked }
  return {
    askers: askersQuestion({ doer: user, repo }, issue),
    // The author is none of them.
    people: candidateNamesQuestion(db, viewer, repo, 'reviews', MAX_CANDIDATES + 1),
    teams: askableTeamsQuestion(db, viewer, repo, MAX_CANDIDATES),
  }
}
