import { isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { CommitQueue } from './commit-queue.ts'
import type { CommitSource } from './commit-source.ts'
import { limitedSteps } from './limited-walk.ts'
import { COMMITS_IN_STEP, Marks } from './marks.ts'
import { topologicalOrder } from './topological-order.ts'

export interface WalkOptions {
  include: readonly Oid[]
  /** How many commits to give, after the first `skip`. */
  limit?: number
  skip?: number
  /** Only commits from this date on, seconds since 1970; the walk does not go beyond an older one. */
  since?: number
  /** Only commits up to this date. */
  until?: number
}

export interface ListOptions extends WalkOptions {
  /** Commits reachable from these are left out. */
  exclude?: readonly Oid[]
  /** `date` (the default): newest first, as `git rev-list` lists; `topo`: no parent before all its children, `--topo-order`. */
  order?: 'date' | 'topo'
}

/** The ids of commits, newest first, as `git rev-list` lists them; the walk goes no further than its reader does. */
export function* walkCommits(source: CommitSource, options: WalkOptions): Generator<number, void, undefined> {
  let skip = options.skip ?? 0
  let left = options.limit ?? Infinity
  if (left <= 0) return
  for (const id of newestFirst(source, options)) {
    if (skip-- > 0) continue
    yield id
    if (--left <= 0) return
  }
}

/** The ids of commits in the order and with the outcome of `git rev-list`, found in steps. */
export function* listCommits(source: CommitSource, options: ListOptions): Steps<number[]> {
  if (options.order !== 'topo' && !options.exclude?.length) return yield* gather(walkCommits(source, options))
  const found = yield* limitedSteps(source, options)
  const ids = options.order === 'topo' ? topologicalOrder(source, found) : found
  const skip = options.skip ?? 0
  return ids.slice(skip, skip + Math.max(0, options.limit ?? Infinity))
}

function* gather(ids: Iterable<number>): Steps<number[]> {
  const gathered: number[] = []
  for (const id of ids) if (gathered.push(id) % COMMITS_IN_STEP === 0) yield
  return gathered
}

/** How many commits `listCommits` would give. */
export function* countCommits(source: CommitSource, options: ListOptions): Steps<number> {
  if (options.exclude?.length) {
    const found = (yield* limitedSteps(source, options)).length - (options.skip ?? 0)
    return Math.max(0, Math.min(found, options.limit ?? Infinity))
  }
  let count = 0
  for (const _ of isPlain(options) ? reachable(source, options.include) : walkCommits(source, options)) {
    if (++count % COMMITS_IN_STEP === 0 && isDue()) yield
  }
  return count
}

/** Whether `tips` reach all of `commits`, which may be among them. */
export function* reachAllSteps(source: CommitSource, tips: readonly Oid[], commits: Iterable<Oid>): Steps<boolean> {
  const left = new Set(Array.from(commits, (oid) => source.idOf(oid)))
  let count = 0
  for (const id of reachable(source, tips)) {
    left.delete(id)
    if (left.size === 0) return true
    if (++count % COMMITS_IN_STEP === 0) yield
  }
  return false
}

/** The ids of all commits that `tips` reach, themselves included, in no particular order. */
export function* reachable(source: CommitSource, tips: readonly Oid[]): Generator<number, void, undefined> {
  const seen = new Marks(source.size)
  const stack: number[] = []
  const meet = (id: number): void => {
    if (seen.has(id, 1)) return
    seen.add(id, 1)
    stack.push(id)
  }
  for (const tip of tips) meet(source.idOf(tip))
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    for (const parent of source.parents(id)) meet(parent)
    yield id
  }
}

/** Whether all that `include` reaches is asked for, in whatever order. */
function isPlain({ limit, skip, since, until }: WalkOptions): boolean {
  return [limit, skip, since, until].every((option) => option === undefined)
}

function* newestFirst(source: CommitSource, options: WalkOptions): Generator<number, void, undefined> {
  const { since = -Infinity, until = Infinity } = options
  const seen = new Marks(source.size)
  const queue = new CommitQueue()
  const meet = (id: number): void => {
    if (seen.has(id, 1)) return
    seen.add(id, 1)
    queue.push(id, source.date(id))
  }
  for (const oid of options.include) meet(source.idOf(oid))
  for (let id = queue.pop(); id >= 0; id = queue.pop()) {
    const date = source.date(id)
    if (date < since) continue
    for (const parent of source.parents(id)) meet(parent)
    if (date <= until) yield id
  }
}
