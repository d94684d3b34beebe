import { runSteps } from '../diff/steps.ts'
import { GitError } from '../errors.ts'
import { limitedSteps } from '../history/limited-walk.ts'
import { Merger } from '../merge/merge-commits.ts'
import type { Oid } from '../objects/oid.ts'
import { type RangeDiff, type RangeDiffLimits, rangeDiff, type Series } from '../range-diff/range-diff.ts'
import { type VersionDiff, type VersionDiffOptions, versionDiff } from '../range-diff/version-diff.ts'
import type { OpenRepo } from './open-repos.ts'

interface Versions {
  before: Series
  after: Series
}

/** What conflict markers call the sides. */
const labels = { ours: 'new base', theirs: 'earlier version' }
/** Milliseconds. */
const DEADLINE = 10_000

/** What is asked about versions of a branch that was rebased. Each throws GitError `limit` when it takes too long. */
export const versionTasks = {
  /** What became of the commits of one series in another; see `rangeDiff`. */
  async rangeDiff(repo: OpenRepo, { before, after, limits = {} }: Versions & { limits?: Omit<RangeDiffLimits, 'signal'> }): Promise<RangeDiff> {
    return inTime((signal) => rangeDiff(repo.commits(), before, after, { ...limits, signal }))
  },

  /** What the files of one series differ in from those of another; see `versionDiff`. */
  async versionDiff(repo: OpenRepo, { before, after, options }: Versions & { options: Omit<VersionDiffOptions, 'signal'> }): Promise<VersionDiff> {
    return inTime((signal) => versionDiff(new Merger(repo.store, repo.graph(), { labels }), before, after, { ...options, signal }))
  },

  /** How many commits each head has that `base` has not; undefined for one that is no longer there. */
  async countEach(repo: OpenRepo, { base, heads }: { base: Oid | undefined; heads: readonly Oid[] }): Promise<(number | undefined)[]> {
    const source = repo.commits()
    const exclude = base === undefined ? [] : [base]
    return inTime(async (signal) => {
      const counts: (number | undefined)[] = []
      for (const head of heads) {
        const isThere = repo.store.findHeader(head)?.type === 'commit'
        counts.push(isThere ? (await runSteps(limitedSteps(source, { include: [head], exclude }), signal)).length : undefined)
      }
      return counts
    })
  },
}

async function inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(new GitError('limit', `Cannot compare: it takes longer than ${DEADLINE} ms`)), DEADLINE)
  try {
    return await work(stop.signal)
  } finally {
    clearTimeout(timer)
  }
}
