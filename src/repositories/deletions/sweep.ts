import type { Context } from '#context.ts'
import { fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { restorableSince } from './deletions.ts'
import { type DeletionRow, forgetNextBefore, forgetNextOfGoneIssues, updateDeletion } from './store.ts'

const SWEEP_SECONDS = 3600
/** Rows removed in one transaction: a few milliseconds. */
const AT_ONCE = 100

type Swept = Pick<Context, 'config' | 'clock' | 'db' | 'jobs'>

/** Removes for good what was deleted longer ago than it can be restored, hour by hour. */
export function startSweepingDeletions(context: Context): void {
  context.jobs.every(SWEEP_SECONDS, 'remove_deleted_for_good', () => sweepDeletions(context))
  context.jobs.runTask('remove_deleted_for_good')
}

export async function sweepDeletions(context: Swept): Promise<void> {
  const { db, jobs } = context
  const next = (tx: Tx) => forgetNextOfGoneIssues(tx, AT_ONCE) ?? forgetNextBefore(tx, restorableSince(context), AT_ONCE)
  while (!jobs.isStopping && db.tx((tx) => fillSlice(AT_ONCE, () => next(tx)))) await db.rest()
}

/** For what can be removed for good now: that begins before this transaction's caller goes on. */
export function sweepSoon(context: Swept, tx: Tx): void {
  tx.onCommit(() => void context.jobs.start('remove what was deleted for good', () => sweepDeletions(context)))
}

/** What is kept of it can be restored no more from now on, and goes. */
export function removeForGood(context: Swept, tx: Tx, { id, deleted_by }: DeletionRow): void {
  updateDeletion(tx, id, { deleted_by, deleted_at: 0 })
  sweepSoon(context, tx)
}
