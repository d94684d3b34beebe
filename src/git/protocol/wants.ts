import { GitError } from '../errors.ts'
import { Marks } from '../history/marks.ts'
import { walkCommits } from '../history/walk.ts'
import type { Oid } from '../objects/oid.ts'
import { ObjectBounds } from '../packs/select/object-filter.ts'
import { SELECTED, TreeWalk } from '../packs/select/select-trees.ts'
import { peelTo } from '../packs/select/tag-chain.ts'
import { getHeader } from '../store/rules.ts'
import type { SnapshotRef } from './context.ts'
import { findHeadRef, findRefs } from './context.ts'
import type { FetchRequest } from './fetch-request.ts'
import type { FetchSession } from './session.ts'

/**
 * The refs that `want-ref` lines name, in the client's order. One that was deleted between the listing and the fetch is given as it was listed:
 * a client that found it there has no other way of going on.
 * @throws GitError `protocol` when one is not there, or not to be seen
 */
export function resolveWantRefs(session: FetchSession, request: FetchRequest): SnapshotRef[] {
  const { refs, store } = session.context
  const names = new Set(request.wantRefs)
  const found = findRefs(refs, names)
  const head = names.has('HEAD') ? findHeadRef(refs) : undefined
  return [...names].map((name) => {
    const ref = (name === 'HEAD' ? head : found.get(name)) ?? refs.deleted?.find((deleted) => deleted.name === name && store.has(deleted.oid))
    if (ref === undefined) throw new GitError('protocol', `unknown ref ${name.slice(0, 200)}`)
    return { ...ref, name }
  })
}

/**
 * Checks that the viewer's refs reach every wanted object: whatever else lies in the store is not for them to have.
 * @throws GitError `protocol` naming the first that they do not; `missing` or `corrupt` naming what a ref points to and a damaged store has lost, where
 * packs that are given as they lie would look like an answer
 */
export async function checkWants(session: FetchSession, wants: Iterable<Oid>): Promise<void> {
  const { store } = session.context
  const asked = [...wants]
  for (const oid of await findUnreached(session, asked)) throw notOurs(oid)
  await session.each(asked, (oid) => store.has(oid) || getHeader(store, oid))
}

/**
 * Those of `oids` that the viewer's refs do not reach.
 * @throws GitError `protocol` naming one that the store does not have
 */
export async function findUnreached(session: FetchSession, oids: Iterable<Oid>): Promise<Set<Oid>> {
  const tips = tipsOf(session)
  const open = new Set<Oid>()
  await session.each(oids, (oid) => {
    if (!tips.has(oid) && !isSurelyReachable(session, oid)) open.add(oid)
  })
  if (open.size > 0) await searchFor(session, open)
  return open
}

function tipsOf({ context }: FetchSession): Set<Oid> {
  const tips = new Set<Oid>()
  for (const ref of context.refs.refs) {
    tips.add(ref.oid)
    if (ref.peeled !== undefined) tips.add(ref.peeled)
  }
  return tips
}

function notOurs(oid: Oid): GitError {
  return new GitError('protocol', `upload-pack: not our ref ${oid}`)
}

function isSurelyReachable(session: FetchSession, oid: Oid): boolean {
  const number = session.space.findOid(oid)
  if (number < 0) throw notOurs(oid)
  return session.context.exact && number < session.space.packed
}

/** Takes off `open` what the refs reach, looking at the cheapest places first. */
async function searchFor(session: FetchSession, open: Set<Oid>): Promise<void> {
  let isCommitOnly = true
  await session.each(open, (oid) => {
    isCommitOnly &&= session.context.store.findHeader(oid)?.type === 'commit'
  })
  const search = new TreeSearch(session, open)
  const include: Oid[] = []
  for (const ref of session.context.refs.refs) {
    const end = peelTo(session.space, ref.oid, (tag) => open.delete(session.space.oid(tag)))
    if (end.type === 'commit') include.push(end.oid)
    else if (end.type === 'tree') await search.below(end.number)
    else open.delete(end.oid)
    const wait = session.checkpoint()
    if (wait) await wait
  }
  for (const id of walkCommits(session.source, { include })) {
    if (open.size === 0) return
    open.delete(session.source.oid(id))
    if (!isCommitOnly) await search.below(session.space.get(session.source.tree(id)))
    const wait = session.checkpoint()
    if (wait) await wait
  }
}

/** Goes through trees, newest commit first: what a partial clone comes back for is mostly there. */
class TreeSearch {
  readonly #open: Set<Oid>
  readonly #targets: Map<number, Oid>
  readonly #marks: Marks
  readonly #trees: TreeWalk
  readonly #bounds = new ObjectBounds(undefined, Infinity)

  constructor(session: FetchSession, open: Set<Oid>) {
    this.#open = open
    this.#targets = new Map([...open].map((oid) => [session.space.get(oid), oid]))
    this.#marks = new Marks(session.space.size)
    this.#trees = new TreeWalk(session.space, this.#marks, session.context.limits, session.checkpoint)
  }

  async below(tree: number): Promise<void> {
    await this.#trees.select(tree, this.#bounds, (number) => this.#met(number))
  }

  #met(number: number): void {
    this.#marks.add(number, SELECTED)
    const oid = this.#targets.get(number)
    if (oid !== undefined) this.#open.delete(oid)
  }
}
