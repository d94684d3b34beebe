import type { Context } from '#context.ts'
import { clearRows } from './store.ts'

/** Rows of each kind done in one transaction. */
const SLICE = 250

/**
 * Takes away what the refs of a deleted repository left, a few rows at a time; nobody sees them, since its row is gone.
 * @returns false when the server stops before all are gone
 */
export async function clearRefs(context: Pick<Context, 'db' | 'tasks'>, repoId: number): Promise<boolean> {
  while (context.db.provisional((tx) => clearRows(tx, repoId, SLICE))) {
    if (context.tasks.isStopping) return false
    await context.db.rest()
  }
  return true
}
