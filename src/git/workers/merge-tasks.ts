import { LruMap } from '#kernel/lru-map.ts'
import { ancestorSteps } from '../history/merge-base.ts'
import { type Mergeability, mergeability } from '../merge/branch-merge.ts'
import { type MergeLabels, Merger } from '../merge/merge-commits.ts'
import { type OpenConflict, openConflicts } from '../merge/open-conflicts.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import { mergeInTime } from './in-time.ts'
import type { OpenRepo } from './open-repos.ts'

const MAX_KNOWN = 1000
/** Answers with more conflicts are worked out anew each time they are asked for. */
const MAX_KNOWN_CONFLICTS = 1000
/** By repository and the ids of both sides, which say all: an answer never goes stale. */
const known = new LruMap<string, Mergeability>(MAX_KNOWN)

export const mergeTasks = {
  /** What merging `head` into `base` would come to; writes nothing, so that the tree it tells need not be there. */
  async mergeability(repo: OpenRepo, { base, head }: { base: Oid; head: Oid }): Promise<Mergeability> {
    const key = `${repo.path} ${base} ${head}`
    const found = known.get(key)
    if (found) return found
    const outcome = await mergeInTime(mergeability(new Merger(repo.store, repo.graph()), base, head))
    if (outcome.status !== 'conflict' || outcome.conflicts.length <= MAX_KNOWN_CONFLICTS) known.set(key, outcome)
    return outcome
  },

  /** What is in the way of merging `theirs` into `ours`, for whoever solves it. @param labels what the sides are called */
  async openConflicts(repo: OpenRepo, { ours, theirs, labels }: { ours: Oid; theirs: Oid; labels: MergeLabels }): Promise<OpenConflict[]> {
    return mergeInTime(openConflicts(new Merger(repo.store, repo.graph(), { labels }), ours, theirs))
  },

  /** Whether `ancestor` is `commit`, or what it goes back to. */
  async isAncestor(repo: OpenRepo, { ancestor, commit }: { ancestor: Oid; commit: Oid }): Promise<boolean> {
    return runSteps(ancestorSteps(repo.commits(), ancestor, commit))
  },
}
