import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { restorableSince } from './deletions.ts'
import { type DeletionRow, forgetNextBefore, forgetNextOfGoneIssues, updateDeletion } from './store.ts'

const SWEEP_SECONDS = 3600
/** Rows removed in one transaction: a few milliseconds. */
const SLICE = 100

/** Removes for good what was deleted longer ago than it can be restored, and what was deleted on issues that are gone. */
export class DeletionSweep extends Backlog {
  constructor(context: Pick<Context, 'config' | 'clock' | 'db' | 'tasks'>) {
    const forgetNext = (tx: Tx) => forgetNextOfGoneIssues(tx, SLICE) ?? forgetNextBefore(tx, restorableSince(context), SLICE)
    super(context, 'remove what was deleted for good', (tx) => fillSlice(SLICE, () => forgetNext(tx)))
  }
}

/** Hour by hour, and now: that goes on with what the last server left. */
export function startSweepingDeletions(context: Context): void {
  context.tasks.every(SWEEP_SECONDS, 'remove_deleted_for_good', () => context.services.get(DeletionSweep).run())
  context.tasks.runTask('remove_deleted_for_good')
}

/** What is kept of it can be restored no more from now on, and goes. */
export function removeForGood({ services }: Pick<Context, 'services'>, tx: Tx, { id, deleted_by }: DeletionRow): void {
  updateDeletion(tx, id, { deleted_by, deleted_at: 0 })
  services.get(DeletionSweep).begin(tx)
}
