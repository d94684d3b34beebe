import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import { readMixedText } from '#git/diff/file-text.ts'
import { GitError } from '#git/errors.ts'
import { isOid, type Oid } from '#git/objects/oid.ts'
import type { RangeDiff, Series } from '#git/range-diff/range-diff.ts'
import { NotFound } from '#kernel/errors.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { IssueRow } from '#work/issues/index.ts'
import { baseOid, commonOf } from './facts.ts'
import type { PullRow } from './store.ts'
import { type HeadMove, hadHead, listMoves } from './version-store.ts'

/** A head that a pull request has or had. */
export interface PullVersion {
  /** Counted from 1, the one that it was opened with. */
  number: number
  oid: Oid
  how: 'opened' | 'pushed' | 'forced'
  /** Whose push it was. */
  personId: number | null
  at: number
  /** Commits that the base has not; undefined when it is no longer kept, or that was too much to count. */
  commits: number | undefined
}

/** As many are listed, the newest. */
const MOST_VERSIONS = 100

class Counts extends KeptWork<(number | undefined)[]> {
  constructor() {
    super(10_000, (counts) => counts.length)
  }
}

/**
 * All versions of a pull request, the newest first. Whoever reads the pull request sees those that forced pushes have left behind, too: they
 * were there to be reviewed, remarks stand on their lines, and what changed since is what a reviewer comes back for. The timeline names them
 * as well, and their objects are kept on purpose (`KEPT_VERSIONS`), so hiding the list would hide nothing.
 */
export async function listVersions(context: Pick<Context, 'db' | 'git' | 'services'>, issue: IssueRow, pull: PullRow): Promise<PullVersion[]> {
  const moves = listMoves(context.db, issue.id, MOST_VERSIONS)
  const heads = moves.map((move, i) => versionOf(move, 1 + move.total - i))
  const first = { number: 1, oid: pull.first_oid ?? pull.head_oid, how: 'opened' as const, personId: issue.poster_id, at: issue.created_at }
  const all = moves.length < MOST_VERSIONS && pull.first_oid !== null ? [...heads, first] : heads
  const versions = all.length === 0 ? [first] : all
  const counts = await countCommits(context, pull, versions)
  return versions.map((version, i) => ({ ...version, commits: counts[i] }))
}

function versionOf({ poster_id, created_at, body }: HeadMove, number: number): Omit<PullVersion, 'commits'> {
  const { is_force_push: isForced, commit_ids: ids } = JSON.parse(body) as { is_force_push: boolean; commit_ids: Oid[] }
  return { number, oid: ids.at(-1) as Oid, how: isForced ? 'forced' : 'pushed', personId: poster_id, at: created_at }
}

async function countCommits(
  context: Pick<Context, 'db' | 'git' | 'services'>,
  pull: PullRow,
  versions: readonly { oid: Oid }[],
): Promise<(number | undefined)[]> {
  const base = pull.merge_base ?? baseOid(context.db, pull)
  const heads = versions.map(({ oid }) => oid)
  const key = JSON.stringify([pull.repo_id, base, heads])
  try {
    return await context.services.get(Counts).answer(key, () => context.git.run('countEach', pull.repo_id, { base, heads }))
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return []
    throw error
  }
}

/** What an author changed between two versions of a pull request. */
export interface VersionComparison {
  /** Commit by commit; undefined when that is more than is compared. */
  ranges: RangeDiff | undefined
  /** The files of one beside those of the other, as `git diff` prints it; without what the base brought meanwhile. */
  diff: string
  isCut: boolean
  /** Whether the two go out from different commits of the base. */
  isMoved: boolean
  /** The earlier one contradicts the base of the later one: its files have conflict markers. */
  isContrary: boolean
}

const MAX_DIFF_BYTES = 512 * 1024
/** What is kept of comparisons, in characters. */
const MOST_KEPT = 8 * 1024 * 1024

class Comparisons extends KeptWork<VersionComparison> {
  constructor() {
    super(
      MOST_KEPT,
      ({ diff, ranges }) => diff.length + JSON.stringify(ranges ?? '').length,
      ({ ranges }) => ranges !== undefined,
    )
  }
}

/** @param names the ids of two heads that it has or had. @throws NotFound for others, and for those that are kept no longer */
export async function compareVersions(context: Context, pull: PullRow, names: { from: string; to: string }): Promise<VersionComparison> {
  const [from, to] = [headOf(context, pull, names.from), headOf(context, pull, names.to)]
  const base = pull.merge_base ?? baseOid(context.db, pull) ?? (await commonOf(context, pull.repo_id, from, to))
  const [before, after] = await Promise.all([from, to].map(async (head) => ({ base: base && (await commonOf(context, pull.repo_id, base, head)), head })))
  const key = JSON.stringify([pull.repo_id, before, after])
  return context.services.get(Comparisons).answer(key, () => compare(context, pull.repo_id, { before: before as Series, after: after as Series }))
}

function headOf(context: Pick<Context, 'db' | 'git'>, { issue_id, repo_id }: PullRow, name: string): Oid {
  const isThere = isOid(name) && hadHead(context.db, issue_id, name) && context.git.storeOf(repo_id).findHeader(name)?.type === 'commit'
  if (!isThere) throw new NotFound(`Version "${name.slice(0, 64)}" of this pull request does not exist or is no longer available.`)
  return name
}

async function compare(context: Pick<Context, 'config' | 'git'>, repoId: number, ends: { before: Series; after: Series }): Promise<VersionComparison> {
  const options = { ...diffLimits(context), binary: false, maxBytes: MAX_DIFF_BYTES }
  const [ranges, { text, ...more }] = await Promise.all([
    context.git.run('rangeDiff', repoId, ends).catch(unlessTooMuch),
    context.git.run('versionDiff', repoId, { ...ends, options }),
  ])
  return { ranges, diff: readMixedText(text), isMoved: ends.before.base !== ends.after.base, ...more }
}

function unlessTooMuch(error: unknown): undefined {
  if (!(error instanceof GitError) || error.kind !== 'limit') throw error
}
