import { GitError } from '../errors.ts'
import { Marks } from '../history/marks.ts'
import type { Oid } from '../objects/oid.ts'
import type { RefSnapshot, SnapshotRef } from './context.ts'
import { findRefs } from './context.ts'
import type { FetchRequest } from './fetch-request.ts'
import { INFINITE_DEPTH, isDeepening } from './fetch-request.ts'
import type { FetchSession } from './session.ts'
import { findUnreached } from './wants.ts'

/** Where a client's history ends, and what follows from that for its pack. Source: `Documentation/technical/shallow.txt`. */
export interface ShallowPlan {
  /** Commits that are a boundary from now on. */
  shallow: Oid[]
  /** Commits that no longer are. */
  unshallow: Oid[]
  /** Commits whose parents the walk for the pack must not follow. */
  cuts: Set<Oid>
  /** Parents of the former boundary: now wanted as well. */
  extraWants: Oid[]
}

/**
 * Decides the boundary.
 * @throws GitError `protocol` when a shallow line names no commit or a deepen-not no ref; `refused` when the bounds leave no commit
 */
export async function planShallow(session: FetchSession, request: FetchRequest, wants: Iterable<Oid>): Promise<ShallowPlan> {
  const theirs = await clientShallows(session, request)
  const plan: ShallowPlan = { shallow: [], unshallow: [], cuts: new Set(theirs.map((id) => session.source.oid(id))), extraWants: [] }
  if (!isDeepening(request)) return plan
  const reach = await findBoundary(session, request, theirs, wants)
  const known = new Set(theirs)
  for (const id of reach.boundary) {
    const oid = session.source.oid(id)
    if (!known.has(id)) plan.shallow.push(oid)
    plan.cuts.add(oid)
  }
  await session.each(theirs, (id) => reach.inside(id) && unshallow(session, id, plan))
  return plan
}

interface Boundary {
  boundary: number[]
  /** Whether a commit is to be had with its parents. */
  inside(id: number): boolean
}

function unshallow(session: FetchSession, id: number, plan: ShallowPlan): void {
  plan.unshallow.push(session.source.oid(id))
  for (const parent of session.source.parents(id)) plan.extraWants.push(session.source.oid(parent))
}

async function clientShallows(session: FetchSession, request: FetchRequest): Promise<number[]> {
  const ids = new Set<number>()
  await session.each(request.shallows, (oid) => {
    const header = session.context.store.findHeader(oid)
    if (header === undefined) return
    if (header.type !== 'commit') throw new GitError('protocol', `Cannot fetch: shallow object ${oid} is not a commit`)
    ids.add(session.source.idOf(oid))
  })
  return [...ids]
}

async function findBoundary(session: FetchSession, request: FetchRequest, theirs: number[], wants: Iterable<Oid>): Promise<Boundary> {
  if (request.depth >= INFINITE_DEPTH) return withoutBoundary(await reachedAmong(session, theirs))
  if (request.depth > 0 && request.deepenRelative) return byDepth(session, await reachedAmong(session, theirs), request.depth + 1)
  const heads = await session.commitIds(wants)
  if (request.depth > 0) return byDepth(session, heads, request.depth)
  return byBounds(session, heads, request)
}

function withoutBoundary(ids: readonly number[]): Boundary {
  const whole = new Set(ids)
  return { boundary: [], inside: (id) => whole.has(id) }
}

/** Level by level, so that each commit is met at its least depth. */
async function byDepth(session: FetchSession, heads: number[], depth: number): Promise<Boundary> {
  const met = new Set(heads)
  const insides = new Set<number>()
  let level = heads
  for (let at = 1; at < depth && level.length > 0; at++) {
    const next: number[] = []
    for (const id of level) {
      insides.add(id)
      for (const parent of session.source.parents(id)) {
        if (met.has(parent)) continue
        met.add(parent)
        next.push(parent)
      }
      const wait = session.checkpoint()
      if (wait) await wait
    }
    level = next
  }
  return { boundary: level, inside: (id) => insides.has(id) }
}

/** The commits from `heads` on that are young enough and not reached from the excluded refs; the boundary lacks some parent. */
async function byBounds(session: FetchSession, heads: number[], request: FetchRequest): Promise<Boundary> {
  const { source } = session
  const excluded = await walk(session, await session.commitIds(resolveNames(session.context.refs, request.deepenNot)), () => true)
  const accepts = (id: number): boolean => !excluded.has(id, 1) && source.date(id) >= request.deepenSince
  const boundary: number[] = []
  let count = 0
  const selected = await walk(session, heads, (id) => {
    if (!accepts(id)) return false
    count++
    if (!source.parents(id).every(accepts)) boundary.push(id)
    return true
  })
  if (count === 0) throw new GitError('refused', 'Cannot fetch: no commits selected for shallow requests')
  const edge = new Set(boundary)
  return { boundary, inside: (id) => selected.has(id, 1) && accepts(id) && !edge.has(id) }
}

/** A commit that no ref reaches keeps its boundary: what lies below it is not for the viewer to have. */
async function reachedAmong(session: FetchSession, ids: number[]): Promise<number[]> {
  const unreached = await findUnreached(
    session,
    ids.map((id) => session.source.oid(id)),
  )
  return ids.filter((id) => !unreached.has(session.source.oid(id)))
}

/** Marks `heads` and what they reach, not going below commits that `enter` turns down. */
async function walk(session: FetchSession, heads: number[], enter: (id: number) => boolean): Promise<Marks> {
  const seen = new Marks(session.source.size)
  const stack = [...heads]
  for (const id of heads) seen.add(id, 1)
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    if (!enter(id)) continue
    for (const parent of session.source.parents(id)) {
      if (seen.has(parent, 1)) continue
      seen.add(parent, 1)
      stack.push(parent)
    }
    const wait = session.checkpoint()
    if (wait) await wait
  }
  return seen
}

/** How a short ref name is read: `Documentation/revisions.txt`, "<refname>". */
const rules = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/']

function resolveNames(refs: RefSnapshot, names: readonly string[]): Oid[] {
  const found = findRefs(refs, new Set(names.flatMap((name) => rules.map((prefix) => prefix + name))))
  return names.map((name) => {
    const full = rules.map((prefix) => prefix + name).find((candidate) => found.has(candidate))
    if (full === undefined) throw new GitError('protocol', `Cannot fetch: deepen-not "${name.slice(0, 200)}" is not a ref`)
    return (found.get(full) as SnapshotRef).oid
  })
}
