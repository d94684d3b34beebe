import { reachAllSteps } from '../history/walk.ts'
import type { Oid } from '../objects/oid.ts'
import { leavesOutBlobsAlone } from '../packs/select/object-filter.ts'
import { peelTo } from '../packs/select/tag-chain.ts'
import { runSteps } from '../steps.ts'
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
    const wait = session.checkpoint()
    if (wait) await wait
    if (order.wants.has(ref.oid)) continue
    if (ref.peeled !== undefined && !followsAlong(ref, order)) return false
    const end = peelTo(session.space, ref.oid, () => {})
    if (end.type !== 'commit') return false
    open.add(end.oid)
  }
  if (open.size === 0) return true
  const tips = (await session.commitIds(order.wants)).map((id) => session.source.oid(id))
  return runSteps(reachAllSteps(session.source, tips, open), session.context.signal)
}

/** Annotated tags come along with what they stand for when the client asked for that. */
function followsAlong(ref: SnapshotRef, order: PackOrder): boolean {
  return order.request.includeTag && ref.name.startsWith('refs/tags/')
}
