import type { Context } from '#context.ts'
import { purge, restorableSince } from './soft-delete.ts'
import { type DeletableTable, deletableTables, listDeletedBefore } from './store.ts'

const PURGE_SECONDS = 3600
/** Rows per transaction, which takes a few milliseconds. */
const BATCH = 50

type PurgeContext = Pick<Context, 'config' | 'clock' | 'db' | 'tasks' | 'jobs'>

/** Purges expired rows every hour, and now: the server may have been stopped before it was done. */
export function startPurging(context: Context): void {
  context.tasks.every(PURGE_SECONDS, 'remove_deleted_for_good', () => purgeExpired(context))
  context.tasks.runTask('remove_deleted_for_good')
}

/** Deletes the rows for good that can no longer be restored. Stops with the server; the next run continues. */
export async function purgeExpired(context: PurgeContext): Promise<void> {
  for (const table of deletableTables) {
    while (!context.tasks.isStopping && purgeBatch(context, table)) await context.db.rest()
  }
}

/** @returns whether there were any */
function purgeBatch(context: PurgeContext, table: DeletableTable): boolean {
  const { db } = context
  const ids = listDeletedBefore(db, table, restorableSince(context), BATCH)
  if (ids.length === 0) return false
  db.txLeavingRows((tx) => {
    for (const id of ids) purge(tx, context, table, id)
  })
  return true
}
