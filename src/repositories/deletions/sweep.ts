import type { Context } from '#context.ts'
import { restorableSince } from './deletions.ts'
import { forgetDeletionsBefore } from './store.ts'

const SWEEP_SECONDS = 3600
const AT_ONCE = 5000

/** Removes for good what was deleted longer ago than it can be restored, hour by hour. */
export function startSweepingDeletions(context: Context): void {
  context.jobs.every(SWEEP_SECONDS, 'remove_deleted_for_good', () => sweepDeletions(context))
  context.jobs.runTask('remove_deleted_for_good')
}

export async function sweepDeletions(context: Pick<Context, 'config' | 'clock' | 'db' | 'jobs'>): Promise<void> {
  const { db, jobs } = context
  while (!jobs.isStopping && db.tx((tx) => forgetDeletionsBefore(tx, restorableSince(context), AT_ONCE))) await db.rest()
}
