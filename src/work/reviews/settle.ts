import { accessStore, anonymous, unlessLost } from '#access/index.ts'
import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { inAnyCase } from '#kernel/askers.ts'
import { breathe } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { accessTo, findIssueById } from '#work/issues/index.ts'
import { changesOf, isStill } from './changes.ts'
import { type CurrentPlace, listCurrent, movePlace } from './comment-store.ts'
import { dismiss } from './dismiss-review.ts'
import { findMover, findPullEnds, isSettled, type PullEnds, setSettled } from './pull-ends-store.ts'
import { ruleOf } from './rules.ts'
import { findReview, listVerdicts, type ReviewedChanges, type ReviewRow, updateReview, type Verdict } from './store.ts'

/** So often it is begun anew when branches move meanwhile; then it is left to who asks next. */
const MAX_TRIES = 5
/** So many verdicts and comments are read or changed before others have their turn: there may be very many. */
const AT_ONCE = 250
/** What a dismissal costs, with its entry and its event, beside a change of a row. */
const DISMISSAL = 20

/**
 * Makes true what reviews say of the changes as they are now: which verdicts are stale, of which some rules dismiss, and where comments on
 * lines stand. Costs next to nothing when that is known already.
 * @returns the ends of its changes
 */
export async function settleReviews(context: Context, issueId: number): Promise<PullEnds | undefined> {
  for (let tries = 1; ; tries++) {
    const seen = findPullEnds(context.db, issueId)
    if (!seen || isSettled(seen) || tries > MAX_TRIES) return seen
    const found = await inAnyCase(() => examine(context, seen))
    if (await settle(context, seen, found)) return seen
  }
}

interface Findings {
  verdicts: { id: number; wasStale: boolean; isStale: boolean }[]
  isAnyNewlyStale: boolean
  places: Followed[]
}

/** A comment, and where it stands now; nowhere: its line is gone. */
interface Followed {
  id: number
  place: Pick<CurrentPlace, 'path' | 'line' | 'at_oid'> | undefined
}

async function examine(context: Context, seen: PullEnds): Promise<Findings> {
  const found: Findings = { verdicts: [], isAnyNewlyStale: false, places: [] }
  const verdicts = (after: number) => listVerdicts(context.db, seen.issue_id, after, AT_ONCE)
  const comments = (after: number) => listCurrent(context.db, seen.issue_id, after, AT_ONCE)
  if (verdicts(0).length === 0 && comments(0).length === 0) return found
  const changes = await changesNow(context, seen)
  const isStale = judge(context, seen.repo_id, changes)
  for await (const page of pagesOf(verdicts)) {
    for (const verdict of page) {
      const now = { id: verdict.id, wasStale: verdict.is_stale === 1, isStale: await isStale(verdict) }
      found.verdicts.push(now)
      found.isAnyNewlyStale ||= now.isStale && !now.wasStale
    }
  }
  if (changes) for await (const page of pagesOf(comments)) found.places.push(...(await followAll(context, seen, page, changes)))
  return found
}

async function* pagesOf<Row extends { id: number }>(list: (after: number) => Row[]): AsyncGenerator<Row[]> {
  for (let page = list(0); page.length > 0; page = list(page.at(-1)?.id ?? 0)) {
    yield page
    await breathe()
  }
}

/** Many verdicts may be about the same changes: those are looked at once. */
function judge(context: Context, repoId: number, now: ReviewedChanges | undefined): (verdict: Verdict) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>()
  return async (verdict) => {
    if (now === undefined) return true
    const key = [verdict.commit_oid, verdict.diff_base, verdict.diff_tree, verdict.diff_key].join(' ')
    const is = known.get(key) ?? isStill(context, repoId, verdict, now)
    known.set(key, is)
    return !(await is)
  }
}

/** Undefined when that cannot be said: then nothing is what was looked at. */
function changesNow(
  context: Pick<Context, 'config' | 'db' | 'disk' | 'git' | 'log' | 'services'>,
  { repo_id, base_oid, head_oid }: PullEnds,
): Promise<ReviewedChanges | undefined> {
  return unlessLost(context, repo_id, () => changesOf(context, repo_id, base_oid as Oid, head_oid), undefined)
}

async function followAll(
  context: Pick<Context, 'config' | 'git'>,
  seen: PullEnds,
  comments: readonly CurrentPlace[],
  now: ReviewedChanges,
): Promise<Followed[]> {
  const groups = Map.groupBy(comments, ({ line, at_oid }) => `${line < 0 ? 'old' : 'new'} ${at_oid}`)
  const all: Followed[] = []
  for (const group of groups.values()) {
    const [first] = group
    const to = (first !== undefined && first.line < 0 ? now.diff_base : seen.head_oid) as Oid | ''
    if (first === undefined || to === '' || first.at_oid === to) continue
    all.push(...(await follow(context, seen.repo_id, group, first.at_oid, to)))
  }
  return all
}

/** Comments of one side that stand at one commit. */
async function follow(context: Pick<Context, 'config' | 'git'>, repoId: number, group: readonly CurrentPlace[], from: Oid, to: Oid): Promise<Followed[]> {
  const lines = group.map(({ path, line }) => ({ path, line: Math.abs(line) }))
  const found = await followed(context, repoId, from, to, lines)
  return group.map(({ id, line }, at) => {
    const place = found[at]
    return { id, place: place && { path: place.path, line: line < 0 ? -place.line : place.line, at_oid: to } }
  })
}

async function followed(context: Pick<Context, 'config' | 'git'>, repoId: number, from: Oid, to: Oid, lines: { path: string; line: number }[]) {
  try {
    return await context.git.run('followLines', repoId, { from, to, lines, options: diffLimits(context) })
  } catch (error) {
    // What they stood in is no longer there.
    if (error instanceof GitError) return lines.map(() => undefined)
    throw error
  }
}

/**
 * Some at a time, each of which is true by itself: who ends in the middle begins with the rest.
 * @returns whether it could be: false when the branches are elsewhere by now
 */
async function settle(context: Context, seen: PullEnds, found: Findings): Promise<boolean> {
  const left = changesIn(found)
  for (;;) {
    const some = (tx: Tx) => settleSome(tx, context, seen, left)
    // Others are told of dismissals alone; all else is found again.
    const end = found.isAnyNewlyStale ? context.db.tx(some) : context.db.provisional(some)
    if (end !== 'more') return end === 'settled'
    await context.db.rest()
  }
}

/** @returns what it weighs */
type Change = (tx: Tx, dismissStale: (review: ReviewRow) => number) => number

function* changesIn({ verdicts, isAnyNewlyStale, places }: Findings): Generator<Change> {
  // Those that were stale before come first: who ends in the middle leaves one that becomes stale, for which all are looked at again.
  for (const { id, wasStale, isStale } of verdicts.toSorted((a, b) => Number(b.wasStale) - Number(a.wasStale))) {
    if (isStale ? !isAnyNewlyStale : !wasStale) continue
    yield (tx, dismissStale) => {
      const review = findReview(tx, id)
      if (!review) return 0
      if (Number(isStale) !== review.is_stale) updateReview(tx, id, { is_stale: Number(isStale) })
      return 1 + (isStale ? dismissStale(review) : 0)
    }
  }
  for (const { id, place } of places) {
    yield (tx) => {
      movePlace(tx, id, place ?? { is_outdated: 1 })
      return 1
    }
  }
}

/** Applies changes that weigh about `limit` together. @returns whether there may be more */
function applySome(limit: number, next: () => number | undefined): boolean {
  for (let left = limit; left > 0; ) {
    const weight = next()
    if (weight === undefined) return false
    left -= weight
  }
  return true
}

function settleSome(tx: Tx, context: Context, seen: PullEnds, left: Iterator<Change>): 'settled' | 'more' | 'elsewhere' {
  const now = findPullEnds(tx, seen.issue_id)
  if (!now || now.is_closed === 1) return 'settled'
  if (now.base_oid !== seen.base_oid || now.head_oid !== seen.head_oid || now.base_branch !== seen.base_branch) return 'elsewhere'
  const dismissStale = dismisser(tx, context, now)
  if (applySome(AT_ONCE, () => left.next().value?.(tx, dismissStale))) return 'more'
  setSettled(tx, now)
  return 'settled'
}

const REASON = 'New commits pushed, approval review dismissed automatically according to repository settings'

/** Dismisses approvals as a rule of the branch may ask, in the name of who moved it. */
function dismisser(tx: Tx, context: Context, ends: PullEnds): (review: ReviewRow) => number {
  const asks = ruleOf(tx, ends)?.dismiss_stale_approvals === 1
  const repo = asks ? accessTo(tx, anonymous, ends.repo_id) : undefined
  const moverId = findMover(tx, ends.issue_id)
  const doer = moverId === undefined ? repo?.owner : accessStore.findUserById(tx, moverId)
  return (review) => {
    const issue = findIssueById(tx, ends.issue_id)
    if (!issue || !repo || !doer || review.state !== 'APPROVED' || review.is_dismissed === 1) return 0
    dismiss(tx, { context, doer, repo, at: context.clock.seconds() }, issue, review, REASON)
    return DISMISSAL
  }
}
