import { accessStore, anonymous, unlessLost } from '#access/index.ts'
import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { GitError } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { inAnyCase } from '#kernel/askers.ts'
import type { Tx } from '#kernel/db.ts'
import { accessTo, type Deed, findIssueById } from '#work/issues/index.ts'
import { changesOf, isStill } from './changes.ts'
import { listCurrent, movePlace, movePlaces } from './comment-store.ts'
import { dismiss } from './dismiss-review.ts'
import { findMover, findPullEnds, isSettled, type PullEnds, setSettled } from './pull-ends-store.ts'
import { ruleOf } from './rules.ts'
import { listVerdicts, type ReviewedChanges, type ReviewRow, updateReview } from './store.ts'

/** So often it is begun anew when branches move meanwhile; then it is left to who asks next. */
const MAX_TRIES = 5

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
    if (context.db.tx((tx) => settle(tx, context, seen, found))) return seen
  }
}

interface Findings {
  stale: Map<number, boolean>
  moves: Move[]
}

/** Comments of one side that stood at one commit, and where they are at another one. */
interface Move {
  isOldSide: boolean
  from: Oid
  to: Oid
  /** Only those whose place is another now. */
  changed: { id: number; place: { path: string; line: number } | undefined }[]
}

async function examine(context: Context, seen: PullEnds): Promise<Findings> {
  const verdicts = listVerdicts(context.db, seen.issue_id)
  const comments = listCurrent(context.db, seen.issue_id)
  const found: Findings = { stale: new Map(), moves: [] }
  if (verdicts.length === 0 && comments.length === 0) return found
  const now = await changesNow(context, seen)
  for (const review of verdicts) found.stale.set(review.id, now === undefined || !(await isStill(context, seen.repo_id, review, now)))
  if (now) found.moves = await followAll(context, seen, comments, now)
  return found
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
  comments: ReturnType<typeof listCurrent>,
  now: ReviewedChanges,
): Promise<Move[]> {
  const groups = Map.groupBy(comments, ({ line, at_oid }) => `${line < 0 ? 'old' : 'new'} ${at_oid}`)
  const moves: Move[] = []
  for (const group of groups.values()) {
    const [first] = group
    const isOldSide = first !== undefined && first.line < 0
    const to = (isOldSide ? now.diff_base : seen.head_oid) as Oid | ''
    if (first === undefined || to === '' || first.at_oid === to) continue
    moves.push({ isOldSide, from: first.at_oid, to, changed: await follow(context, seen.repo_id, group, first.at_oid, to) })
  }
  return moves
}

async function follow(
  context: Pick<Context, 'config' | 'git'>,
  repoId: number,
  group: ReturnType<typeof listCurrent>,
  from: Oid,
  to: Oid,
): Promise<Move['changed']> {
  const lines = group.map(({ path, line }) => ({ path, line: Math.abs(line) }))
  const found = await followed(context, repoId, from, to, lines)
  return group
    .map(({ comment_id: id, path, line }, at) => {
      const place = found[at]
      const hasStayed = place?.path === path && place.line === Math.abs(line)
      return { id, hasStayed, place: place && { path: place.path, line: line < 0 ? -place.line : place.line } }
    })
    .filter(({ hasStayed }) => !hasStayed)
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

/** @returns whether it could be: false when the branches are elsewhere by now */
function settle(tx: Tx, context: Context, seen: PullEnds, { stale, moves }: Findings): boolean {
  const now = findPullEnds(tx, seen.issue_id)
  if (!now || now.is_closed === 1) return true
  if (now.base_oid !== seen.base_oid || now.head_oid !== seen.head_oid || now.base_branch !== seen.base_branch) return false
  const verdicts = listVerdicts(tx, seen.issue_id)
  const isNewlyStale = verdicts.filter(({ id, is_stale }) => stale.get(id) === true && is_stale === 0).length > 0
  for (const { id, is_stale } of verdicts) {
    const is = stale.get(id)
    if (is !== undefined && Number(is) !== is_stale) updateReview(tx, id, { is_stale: Number(is) })
  }
  if (isNewlyStale)
    dismissStale(
      tx,
      context,
      now,
      verdicts.filter(({ id }) => stale.get(id) === true),
    )
  for (const move of moves) {
    for (const { id, place } of move.changed) movePlace(tx, id, place ? { ...place, at_oid: move.to } : { is_outdated: 1 })
    movePlaces(tx, seen.issue_id, move.isOldSide, move.from, move.to)
  }
  setSettled(tx, now)
  return true
}

const REASON = 'New commits pushed, approval review dismissed automatically according to repository settings'

/** As a rule of the branch may ask, in the name of who moved it. */
function dismissStale(tx: Tx, context: Context, ends: PullEnds, stale: readonly ReviewRow[]): void {
  if (ruleOf(tx, ends)?.dismiss_stale_approvals !== 1) return
  const issue = findIssueById(tx, ends.issue_id)
  const repo = accessTo(tx, anonymous, ends.repo_id)
  const moverId = findMover(tx, ends.issue_id)
  const doer = moverId === undefined ? repo?.owner : accessStore.findUserById(tx, moverId)
  if (!issue || !repo || !doer) return
  const deed: Deed = { context, doer, repo, at: context.clock.seconds() }
  for (const review of stale) if (review.state === 'APPROVED' && review.is_dismissed === 0) dismiss(tx, deed, issue, review, REASON)
}
