import type { Context } from '#context.ts'
import { Backlog } from '#kernel/backlog.ts'
import { ReferringRows } from '#kernel/database/referring-rows.ts'
import type { Tx } from '#kernel/db.ts'
import { keepNextRows, putNextRowsBack } from './row-slices-store.ts'
import { forgetDeletion } from './store.ts'
import { findLatestUnsettled, forgetUnsettled, type UnsettledRow } from './unsettled-store.ts'

/** Rows done in one transaction: a few milliseconds. */
const SLICE = 100

/** What refers to rows that were deleted or restored follows them. */
export class Settlement extends Backlog {
  readonly #referring: ReferringRows

  constructor(context: Pick<Context, 'db' | 'tasks' | 'services'>) {
    const referring = context.services.get(ReferringRows)
    super(context, 'settle what was deleted or restored', (tx) => settleNext(tx, referring))
    this.#referring = referring
  }

  /** As `begin`, with the first slice in the transaction itself. */
  beginWithin(tx: Tx): void {
    if (settleNext(tx, this.#referring)) this.begin(tx)
  }
}

/** Which way the rows go is asked in each transaction: somebody may have restored meanwhile what they were following. */
function settleNext(tx: Tx, referring: ReferringRows): boolean {
  const row = findLatestUnsettled(tx)
  if (row && (row.is_back ? isAllBack(tx, row) : isAllGone(tx, referring, row))) forgetUnsettled(tx, row.id)
  return findLatestUnsettled(tx) !== undefined
}

function isAllGone(tx: Tx, referring: ReferringRows, { table_name, row_id, deletion_id }: UnsettledRow): boolean {
  const kept = deletion_id === null ? 0 : keepNextRows(tx, deletion_id, table_name, row_id, SLICE)
  return kept < SLICE && referring.clear(tx, table_name, row_id, SLICE - kept) > 0
}

function isAllBack(tx: Tx, { deletion_id }: UnsettledRow): boolean {
  if (deletion_id === null) return true
  if (putNextRowsBack(tx, deletion_id, SLICE) === SLICE) return false
  forgetDeletion(tx, deletion_id)
  return true
}
