import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import type { Tx } from '#kernel/db.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { type DeletableTable, type DeletedRow, type DeletionKey, setDeleted } from './store.ts'

type Kept = Pick<Context, 'config' | 'clock'>

/** The value that a form sends to restore or purge a deleted row. */
export function writeDeletionKey({ id, deletedAt }: DeletionKey): string {
  return `${id}.${deletedAt}`
}

/** The key of a deleted row. */
export function keyOf({ id, deleted_at }: Pick<DeletedRow, 'id' | 'deleted_at'>): DeletionKey {
  return { id, deletedAt: deleted_at }
}

/** A text that is not a key yields a key that matches no row. */
export function parseDeletionKey(text: string): DeletionKey {
  const [id, deletedAt] = text.split('.', 2)
  return { id: rowIdIn(id), deletedAt: rowIdIn(deletedAt) }
}

/** Rows that were deleted at this time or earlier can no longer be restored, in Unix seconds. */
export function restorableSince({ config, clock }: Kept): number {
  return clock.seconds() - keptSeconds(config)
}

/** Until when a deleted row can be restored, in Unix seconds. */
export function restorableUntil({ config }: Pick<Context, 'config'>, { deleted_at }: Pick<DeletedRow, 'deleted_at'>): number {
  return deleted_at + keptSeconds(config)
}

function keptSeconds(config: Context['config']): number {
  return config.repository.DELETED_KEPT_DAYS * 86_400
}

/**
 * Marks a live row as deleted. The row, and all rows that refer to it, stay until it is restored or purged.
 * @param tx from `txLeavingRows`: if the settings keep nothing, the row is purged at once
 * @param by id of the account that deletes the row
 * @returns the key for restoring the row; undefined if it was purged
 */
export function softDelete(tx: Tx, context: Kept & Pick<Context, 'jobs'>, table: DeletableTable, id: number, by?: number): DeletionKey | undefined {
  if (context.config.repository.DELETED_KEPT_DAYS === 0) {
    purge(tx, context, table, id)
    return undefined
  }
  const deletedAt = context.clock.seconds()
  setDeleted(tx, table, id, { deleted_at: deletedAt, deleted_by: by ?? null })
  return { id, deletedAt }
}

export function restore(tx: Tx, table: DeletableTable, { id }: Pick<DeletedRow, 'id'>): void {
  setDeleted(tx, table, id, { deleted_at: null, deleted_by: null })
}

/** Deletes a row for good; the rows that refer to it follow in the background. @param tx from `txLeavingRows` */
export function purge(tx: Tx, context: Pick<Context, 'jobs'>, table: DeletableTable, id: number): void {
  deleteRow(context, tx, table, id)
}
