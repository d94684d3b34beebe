import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { type Follow, limitedSteps } from './limited-walk.ts'
import { Marks } from './marks.ts'
import { PathChanges } from './path-changes.ts'

export interface PathHistoryOptions {
  include: readonly Oid[]
  /** Commits reachable from these are left out. */
  exclude?: readonly Oid[]
  /** A file or directory, taken literally; slashes at either end do not count. */
  path: string
  limit?: number
  skip?: number
  /** Only commits from this date on, seconds since 1970; the walk does not go beyond an older one. */
  since?: number
  /** Only commits up to this date. */
  until?: number
}

/**
 * The ids of the commits that changed a path, newest first, with git's default simplification of history, as
 * `git rev-list include -- path` prints: where a parent has the same at the path, only that parent is followed.
 * Asynchronous, because there may be a long way between two such commits: it takes its breath itself. Without
 * `exclude` it does no more than what is asked of it, so the first page of a long history is quick.
 */
export async function* pathHistory(source: CommitSource, options: PathHistoryOptions): AsyncGenerator<number, void, undefined> {
  let skip = options.skip ?? 0
  let left = options.limit ?? Infinity
  if (left <= 0) return
  for await (const id of options.exclude?.length ? limited(source, options) : newestFirst(source, options)) {
    if (skip-- > 0) continue
    yield id
    if (--left <= 0) return
  }
}

async function* newestFirst(source: CommitSource, options: PathHistoryOptions): AsyncGenerator<number, void, undefined> {
  const { since = -Infinity, until = Infinity } = options
  const changes = new PathChanges(source, options.path)
  const seen = new Marks(source.size)
  const queue = new CommitQueue()
  const meet = (id: number): void => {
    if (seen.has(id, 1)) return
    seen.add(id, 1)
    queue.push(id, source.date(id))
  }
  for (const oid of options.include) meet(source.idOf(oid))
  for (let id = queue.pop(); id >= 0; id = queue.pop()) {
    if (isDue()) await breathe()
    if (source.date(id) < since) continue
    const { changed, follow } = changes.at(id, () => true)
    for (const parent of follow) meet(parent)
    if (changed && source.date(id) <= until) yield id
  }
}

/** Only a parent that is wanted, or one of `exclude` itself, can speak for a path; so says git's `relevant_commit`. */
async function* limited(source: CommitSource, options: PathHistoryOptions): AsyncGenerator<number, void, undefined> {
  const changes = new PathChanges(source, options.path)
  const bottoms = new Set(options.exclude?.map((oid) => source.idOf(oid)))
  const changed = new Set<number>()
  const follow: Follow = (id, isWanted) => {
    const step = changes.at(id, (parent) => isWanted(parent) || bottoms.has(parent))
    if (step.changed) changed.add(id)
    return step.follow
  }
  for (const id of await runSteps(limitedSteps(source, options, follow))) if (changed.has(id)) yield id
}
