import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { keepRows, putRowsBack } from './rows-store.ts'
import { type DeletionRow, deleteRow, forgetDeletion, insertDeletion } from './store.ts'

type Kept = Pick<Context, 'config' | 'clock'>

/** What a form says that would undo a deletion: which one, and of which row, for that may be there again by then. */
export interface DeletionKey {
  id: number
  rowId: number
}

export function writeDeletionKey({ id, rowId }: DeletionKey): string {
  return `${id}.${rowId}`
}

/** Without its second part it names no row; what is no key names no deletion. */
export function parseDeletionKey(text: string): DeletionKey {
  const [id, rowId] = text.split('.', 2)
  return { id: rowIdIn(id), rowId: rowIdIn(rowId) }
}

/** Deletions before this are no longer undone, in Unix seconds. */
export function restorableSince({ config, clock }: Kept): number {
  return clock.seconds() - keptSeconds(config)
}

/** Until when a deletion can be undone, in Unix seconds. */
export function restorableUntil({ config }: Pick<Context, 'config'>, { deleted_at }: Pick<DeletionRow, 'deleted_at'>): number {
  return deleted_at + keptSeconds(config)
}

function keptSeconds(config: Context['config']): number {
  return config.repository.DELETED_KEPT_DAYS * 86_400
}

/**
 * Deletes a row with all that goes with it, and keeps it to be restored for as long as the settings say.
 * @returns the id of the deletion; undefined where nothing is kept
 */
export function deleteRestorably(tx: Tx, { config, clock }: Kept, what: Omit<DeletionRow, 'id' | 'deleted_at'>): number | undefined {
  const isKept = config.repository.DELETED_KEPT_DAYS > 0
  const id = isKept ? insertDeletion(tx, { ...what, deleted_at: clock.seconds() }) : undefined
  if (id !== undefined) keepRows(tx, id, what.table_name, what.row_id)
  deleteRow(tx, what.table_name, what.row_id)
  return id
}

/**
 * Undoes a deletion: what it removed is there again under the same ids, but for what belonged to things that are gone since.
 * @param resets columns that triggers count up again
 * @returns false when what was deleted cannot be there any more, since what it belonged to is gone
 */
export function restoreRows(tx: Tx, deletion: DeletionRow, resets: readonly string[] = []): boolean {
  const isBack = putRowsBack(tx, deletion.id, resets)
  forgetDeletion(tx, deletion.id)
  return isBack
}
