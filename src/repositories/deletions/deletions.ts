import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { keepAlone, putAloneBack } from './row-slices-store.ts'
import { Settlement } from './settle.ts'
import { type DeletionRow, deleteRow, insertDeletion, updateDeletion } from './store.ts'
import { findUnsettled, noteUnsettled } from './unsettled-store.ts'

type Kept = Pick<Context, 'config' | 'clock'>
type Settled = Pick<Context, 'config' | 'clock' | 'db' | 'tasks' | 'services'>

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
 * Deletes a row, and keeps it to be restored for as long as the settings say. Very many may refer to it: it goes alone, and what refers to it
 * follows a few rows at a time, the first before this transaction's caller goes on. Whoever reads those until then finds the row gone that they name.
 * @param tx one of `txLeavingRows`
 * @returns the id of the deletion; undefined where nothing is kept
 */
export function deleteAlone(tx: Tx, context: Settled, what: Omit<DeletionRow, 'id' | 'deleted_at'>): number | undefined {
  const { table_name, row_id, deleted_by } = what
  const deleted_at = context.clock.seconds()
  const isKept = context.config.repository.DELETED_KEPT_DAYS > 0
  // Where rows still come back to it from its last deletion, this one goes on with what is kept of them.
  const former = findUnsettled(tx, table_name, row_id)?.deletion_id
  if (former) updateDeletion(tx, former, { deleted_by, deleted_at })
  const id = former ?? (isKept ? insertDeletion(tx, { ...what, deleted_at }) : undefined)
  if (id !== undefined) keepAlone(tx, id, table_name, row_id)
  deleteRow(tx, table_name, row_id)
  noteUnsettled(tx, { table_name, row_id, deletion_id: id ?? null, is_back: 0 })
  context.services.get(Settlement).begin(tx)
  return id
}

/**
 * Undoes that: the row is there again at once, under the same id, and with it what referred to it, where that is not very much: then some follows in the same
 * way. What belonged to things that are gone since stays away.
 * @returns false when the row cannot be there any more, since what it belonged to is gone
 */
export function restoreAlone(tx: Tx, context: Settled, { id, table_name, row_id }: DeletionRow): boolean {
  if (!putAloneBack(tx, id, table_name)) return false
  noteUnsettled(tx, { table_name, row_id, deletion_id: id, is_back: 1 })
  // Most have few: those are back with it, or none of it is.
  context.services.get(Settlement).beginWithin(tx)
  return true
}
