import { mapInTurns } from '#kernel/breathe.ts'
import { digestFile } from '../diff/change-digest.ts'
import { compareFile, sizeOf } from '../diff/compare-file.ts'
import type { FileChange } from '../diff/renames.ts'
import type { TreeSide } from '../diff/tree-diff.ts'
import { GitError } from '../errors.ts'
import { limitedSteps } from '../history/limited-walk.ts'
import { Merger } from '../merge/merge-commits.ts'
import type { Oid } from '../objects/oid.ts'
import { type RangeDiff, type RangeDiffLimits, rangeDiff, type Series } from '../range-diff/range-diff.ts'
import { type VersionDiff, type VersionDiffOptions, versionDiff } from '../range-diff/version-diff.ts'
import { runSteps, type Steps } from '../steps.ts'
import { inTime } from './in-time.ts'
import type { OpenRepo } from './open-repos.ts'

/** A file before and after; undefined where there is none. */
export interface FileSides {
  old?: TreeSide | undefined
  new?: TreeSide | undefined
}

interface Versions {
  before: Series
  after: Series
}

/** What conflict markers call the sides. */
const labels = { ours: 'new base', theirs: 'earlier version' }
/** Of a file on either side; a larger one is taken to differ. */
const MAX_FILE_BYTES = 4 * 1024 * 1024
const LIMITS = { maxFileBytes: MAX_FILE_BYTES }
const DEADLINE_MS = 10_000

/** What is asked about versions of a branch that was rebased. Each throws GitError `limit` when it takes too long. */
export const versionTasks = {
  /** What became of the commits of one series in another; see `rangeDiff`. */
  async rangeDiff(repo: OpenRepo, { before, after, limits = {} }: Versions & { limits?: Omit<RangeDiffLimits, 'signal'> }): Promise<RangeDiff> {
    return inTime('compare', DEADLINE_MS, (signal) => rangeDiff(repo.commits(), before, after, { ...limits, signal }))
  },

  /** What the files of one series differ in from those of another; see `versionDiff`. */
  async versionDiff(repo: OpenRepo, { before, after, options }: Versions & { options: Omit<VersionDiffOptions, 'signal'> }): Promise<VersionDiff> {
    return inTime('compare', DEADLINE_MS, (signal) => versionDiff(new Merger(repo.store, repo.graph(), { labels }), before, after, { ...options, signal }))
  },

  /** Of each two changes of a file, whether they are the same, wherever their lines stand; not where something of them is no longer there. */
  async areSameChanges(repo: OpenRepo, { pairs }: { pairs: readonly (readonly [FileSides, FileSides])[] }): Promise<boolean[]> {
    return inTime('compare', DEADLINE_MS, (signal) =>
      mapInTurns(pairs, ([one, other]) => {
        signal.throwIfAborted()
        return runSteps(isSameChange(repo, one, other), signal)
      }),
    )
  },

  /** How many commits each head has that `base` has not; undefined for one that is no longer there. */
  async countEach(repo: OpenRepo, { base, heads }: { base: Oid | undefined; heads: readonly Oid[] }): Promise<(number | undefined)[]> {
    const source = repo.commits()
    const exclude = base === undefined ? [] : [base]
    return inTime('compare', DEADLINE_MS, (signal) =>
      mapInTurns(heads, async (head) => {
        if (repo.store.findHeader(head)?.type !== 'commit') return undefined
        return (await runSteps(limitedSteps(source, { include: [head], exclude }), signal)).length
      }),
    )
  },
}

function* isSameChange({ store }: OpenRepo, one: FileSides, other: FileSides): Steps<boolean> {
  const sizes = [one.old, one.new, other.old, other.new].map((side) => sizeOf(store, side))
  if (sizes.some((size) => size > MAX_FILE_BYTES)) return false
  try {
    const a = yield* digestFile(store, changeOf(one), LIMITS)
    const b = yield* digestFile(store, changeOf(other), LIMITS)
    return a === b && !(yield* isBinaryChange(store, one))
  } catch (error) {
    if (error instanceof GitError && error.kind === 'missing') return false
    throw error
  }
}

/** Of binaries the digest tells only that they differ. */
function* isBinaryChange(store: OpenRepo['store'], sides: FileSides): Steps<boolean> {
  return (yield* compareFile(store, changeOf(sides), LIMITS)).kind !== 'text'
}

function changeOf({ old, new: now }: FileSides): FileChange {
  const status = old === undefined ? 'added' : now === undefined ? 'deleted' : 'modified'
  return { path: 'file', status, old, new: now } as FileChange
}
