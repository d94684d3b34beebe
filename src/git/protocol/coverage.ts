import { reachable } from '../history/walk.ts'
import type { Oid } from '../objects/oid.ts'
import { leavesOutBlobsAlone } from '../packs/object-filter.ts'
import { peelTo } from '../packs/tag-chain.ts'
import type { SnapshotRef } from './context.ts'
import type { PackOrder } from './pack-order.ts'
import type { FetchSession } from './session.ts'

/** Whether an order comes to everything in the store, or all of it but blobs where its filter says so: nothing needs to be picked out by a walk. */
export async function coversAll(session: FetchSession, order: PackOrder): Promise<boolean> {
  const { exact, refs } = session.context
  const { filter } = order.request
  if (filter !== undefined && !leavesOutBlobsAlone(filter)) return false
  if (!exact || order.haves.length > 0 || order.cuts.size > 0) return false
  const open = new Set<Oid>()
  for (const ref of refs.refs) {
    if (order.wants.has(ref.oid)) continue
    if (ref.peeled !== undefined && !followsAlong(ref, order)) return false
    const end = peelTo(session.space, ref.oid, () => {})
    if (end.type !== 'commit') return false
    open.add(end.oid)
  }
  return open.size === 0 || (await areReached(session, order.wants, open))
}

/** Annotated tags come along with what they stand for when the client asked for that. */
function followsAlong(ref: SnapshotRef, order: PackOrder): boolean {
  return order.request.includeTag && ref.name.startsWith('refs/tags/')
}

async function areReached(session: FetchSession, wants: Iterable<Oid>, open: Set<Oid>): Promise<boolean> {
  const { source } = session
  const targets = new Set([...open].map((oid) => source.idOf(oid)))
  const tips = session.commitIds(wants).map((id) => source.oid(id))
  for (const id of reachable(source, tips)) {
    targets.delete(id)
    if (targets.size === 0) return true
    const wait = session.checkpoint()
    if (wait) await wait
  }
  return false
}
