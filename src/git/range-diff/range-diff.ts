import { breathe, isDue } from '#kernel/breathe.ts'
import { readMixedText } from '../diff/file-text.ts'
import { type HunkLine, hunksOf, linesOf, withoutBrokenEnd } from '../diff/hunks.ts'
import { diffLines } from '../diff/line-diff.ts'
import { GitError } from '../errors.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { limitedSteps } from '../history/limited-walk.ts'
import { dateOrder } from '../history/topological-order.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps, type Steps } from '../steps.ts'
import { pairCommits } from './pair-commits.ts'
import { type PatchText, patchText } from './patch-text.ts'

/** Commits that `head` has and `base` has not; all of its history where there is no base. */
export interface Series {
  base: Oid | undefined
  head: Oid
}

export interface RangeDiffLimits {
  /** Commits of one series. Default: 250. */
  maxCommits?: number
  /** Bytes of all patches of one series. Default: 8 MiB. */
  maxBytes?: number
  /** Lines of differences between patches that are given. Default: 3,000. */
  maxLines?: number
  signal?: AbortSignal
}

/** A commit, and its place in its series, counted from 1. */
export interface SeriesCommit {
  oid: Oid
  number: number
  /** The first line of its message. */
  title: string
}

/** A line of a patch, or one that it has no longer or has now. */
export interface PatchLine {
  kind: HunkLine['kind']
  text: string
}

export interface PatchHunk {
  /** The part of the commit that it is in, as `Metadata`, or a file and the place in it. */
  section: string
  lines: PatchLine[]
}

/** `=`: the same patch and message; `!`: another one; `<`: only in the old series; `>`: only in the new one. */
export interface CommitPair {
  status: '=' | '!' | '<' | '>'
  old?: SeriesCommit
  new?: SeriesCommit
  /** The difference of the patches. */
  hunks: PatchHunk[]
}

export interface RangeDiff {
  pairs: CommitPair[]
  /** Whether some differences were left out because they have too many lines. */
  isCut: boolean
}

const MiB = 1024 * 1024
const MAX_FILES = 10_000
const MAX_FILE_BYTES = 4 * MiB
/** For the difference of two patches: some hundred milliseconds. */
const EFFORT = 100_000_000

/**
 * What became of the commits of one series in another, in the order in which `git range-diff` tells it.
 * @throws GitError `limit` when it is more work than allowed; `missing` or `corrupt` when an object is
 */
export async function rangeDiff(source: CommitSource, before: Series, after: Series, limits: RangeDiffLimits = {}): Promise<RangeDiff> {
  const [old, now] = [await readSeries(source, before, limits), await readSeries(source, after, limits)]
  const pairs = inOrder(old, now, await pairCommits(old, now, limits.signal))
  let left = limits.maxLines ?? 3000
  let isCut = false
  for (const pair of pairs) {
    if (pair.status !== '!') continue
    const [from, to] = [old[(pair.old?.number ?? 0) - 1] as PatchText, now[(pair.new?.number ?? 0) - 1] as PatchText]
    const hunks = await runSteps(tryHunks(from, to), limits.signal)
    const count = hunks?.reduce((sum, { lines }) => sum + lines.length, 0) ?? Infinity
    if (count <= left) pair.hunks = hunks ?? []
    else isCut = true
    left -= Math.min(count, left)
    if (isDue()) await breathe()
    limits.signal?.throwIfAborted()
  }
  return { pairs, isCut }
}

/** The patches of a series, parents first; merges have none. */
async function readSeries(source: CommitSource, { base, head }: Series, limits: RangeDiffLimits): Promise<PatchText[]> {
  const { maxCommits = 250, maxBytes = 8 * MiB, signal } = limits
  const ids = await runSteps(limitedSteps(source, { include: [head], exclude: base === undefined ? [] : [base] }), signal)
  const commits = dateOrder(source, ids).filter((id) => source.parents(id).length < 2)
  if (commits.length > maxCommits) throw new GitError('limit', `Cannot compare: there are ${commits.length} commits; the limit is ${maxCommits}`)
  const texts: PatchText[] = []
  let left = maxBytes
  for (const id of commits.reverse()) {
    const text = await patchText(source.store, source.oid(id), { maxBytes: left, maxFiles: MAX_FILES, maxFileBytes: MAX_FILE_BYTES, signal })
    left -= text.bytes.length
    texts.push(text)
  }
  return texts
}

/**
 * In the order of the new series; what is only in the old one stands behind all that came before it there. Source: `output` in git's
 * `range-diff.c`.
 */
function inOrder(old: readonly PatchText[], now: readonly PatchText[], newOf: readonly (number | undefined)[]): CommitPair[] {
  const oldOf = new Map(newOf.map((j, i) => [j, i]))
  const shown = new Set<number>()
  const pairs: CommitPair[] = []
  let i = 0
  const skipOld = (): void => {
    for (; i < old.length; i++) {
      if (shown.has(i)) continue
      if (newOf[i] !== undefined) return
      pairs.push({ status: '<', old: commitOf(old, i), hunks: [] })
    }
  }
  for (const [j, text] of now.entries()) {
    skipOld()
    const from = oldOf.get(j)
    if (from === undefined) {
      pairs.push({ status: '>', new: commitOf(now, j), hunks: [] })
      continue
    }
    const isSame = Buffer.compare((old[from] as PatchText).bytes, text.bytes) === 0
    pairs.push({ status: isSame ? '=' : '!', old: commitOf(old, from), new: commitOf(now, j), hunks: [] })
    shown.add(from)
  }
  skipOld()
  return pairs
}

function commitOf(series: readonly PatchText[], at: number): SeriesCommit {
  const { oid, title } = series[at] as PatchText
  return { oid, number: at + 1, title }
}

/** The difference of two patches; undefined when it is too much work. */
function* tryHunks(old: PatchText, now: PatchText): Steps<PatchHunk[] | undefined> {
  try {
    return yield* patchHunks(old, now)
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return undefined
    throw error
  }
}

function* patchHunks(old: PatchText, now: PatchText): Steps<PatchHunk[]> {
  const diff = yield* diffLines(old.bytes, now.bytes, { effort: EFFORT })
  return Array.from(hunksOf(diff, { section: sectionOf }), (hunk) => ({
    section: decode(withoutBrokenEnd(hunk.section)),
    lines: Array.from(linesOf(hunk, diff), ({ kind, bytes }) => ({ kind, text: decode(bytes).replace(/\n$/, '') })),
  }))
}

function decode(bytes: Uint8Array): string {
  return readMixedText(bytes)
}

/** A heading of the text, or of a hunk in it. */
function sectionOf(line: Uint8Array): Uint8Array | undefined {
  const text = Buffer.from(line).toString('latin1')
  const [, found] = /^ ## (.*) ##\n$/.exec(text) ?? /^.?@@ (.*)\n$/.exec(text) ?? []
  return found === undefined ? undefined : Buffer.from(found, 'latin1')
}
