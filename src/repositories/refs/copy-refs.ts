import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { scheduleDerived } from './derived.ts'
import { bumpState, copyBranchesAndTags, touchRepo } from './store.ts'

/** Gives a new repository, which has all their objects, the branches and tags of another, whatever their number. No event: it begins with them. */
export function copyRefs(context: Context, tx: Tx, fromId: number, toId: number): void {
  const branches = copyBranchesAndTags(tx, fromId, toId)
  bumpState(tx, toId, true)
  touchRepo(tx, toId, branches, context.clock.seconds())
  tx.onCommit(() => scheduleDerived(context, toId))
}
