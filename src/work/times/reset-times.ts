import type { Context } from '#context.ts'
import { Backlog, fillSlice } from '#kernel/backlog.ts'
import type { Tx } from '#kernel/db.ts'
import { clearReset, deleteReset, findFirstReset } from './reset-store.ts'

/** Rows cleared in one transaction: a few milliseconds. */
const SLICE = 100

/** Clears away the times that people took back. */
export class TimeResets extends Backlog {
  constructor(context: Pick<Context, 'db' | 'tasks'>) {
    super(context, 'clear times that were taken back', (tx) => fillSlice(SLICE, () => clearNext(tx)))
  }
}

/** @returns about how many were cleared; undefined when nothing was left */
function clearNext(tx: Tx): number | undefined {
  const reset = findFirstReset(tx)
  if (!reset) return undefined
  const cleared = clearReset(tx, reset, SLICE)
  if (cleared < SLICE) deleteReset(tx, reset.id)
  return 1 + cleared
}
