import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { type Reference, ReferringRows } from '#kernel/referring-rows.ts'
import { keepNextRows, putNextRowsBack } from './row-slices-store.ts'
import { forgetDeletion } from './store.ts'
import { findFirstUnsettled, findUnsettled, forgetUnsettled, type UnsettledRow } from './unsettled-store.ts'

/** Rows done in one transaction: a few milliseconds. */
const SLICE = 100

/** Whoever reads comments bears those whose issue is gone; all else that refers to one is few and goes at once. */
const isOfConversation = ({ table, column }: Reference) => table === 'comment' && column === 'issue_id'

class Settling {
  underWay: Promise<void> | undefined
}

type Settled = Pick<Context, 'db' | 'jobs' | 'services'>

/** The first of what refers to a row follows at once: to most refers no more. The rest does in the background. */
export function beginSettling(context: Settled, { table_name, row_id }: Pick<UnsettledRow, 'table_name' | 'row_id'>): void {
  settleSlice(context, (tx) => findUnsettled(tx, table_name, row_id))
  void settleRows(context)
}

/** Resolves when everything has followed, or when the server stops: the next start goes on with it. */
export function settleRows(context: Settled): Promise<void> {
  const settling = context.services.get(Settling)
  settling.underWay ??= context.jobs.start('settle what was deleted or restored', () => settleAll(context))
  return settling.underWay
}

async function settleAll(context: Settled): Promise<void> {
  try {
    for (await context.db.rest(); findFirstUnsettled(context.db) && !context.jobs.isStopping; await context.db.rest()) settleSlice(context, findFirstUnsettled)
  } finally {
    context.services.get(Settling).underWay = undefined
  }
}

/** Which way the rows go is asked in each transaction: somebody may have restored meanwhile what they were following. */
function settleSlice({ db, services }: Settled, find: (tx: Tx) => UnsettledRow | undefined): void {
  const referring = services.get(ReferringRows)
  db.provisional((tx) => {
    const row = find(tx)
    if (row && (row.is_back ? isAllBack(tx, row) : isAllGone(tx, referring, row))) forgetUnsettled(tx, row.id)
  })
}

function isAllGone(tx: Tx, referring: ReferringRows, { table_name, row_id, deletion_id }: UnsettledRow): boolean {
  if (table_name === 'issue') referring.clear(tx, table_name, row_id, Number.MAX_SAFE_INTEGER, (reference) => !isOfConversation(reference))
  const kept = deletion_id === null ? 0 : keepNextRows(tx, deletion_id, table_name, row_id, SLICE)
  return kept < SLICE && referring.clear(tx, table_name, row_id, SLICE - kept) > 0
}

function isAllBack(tx: Tx, { deletion_id }: UnsettledRow): boolean {
  if (deletion_id === null) return true
  if (putNextRowsBack(tx, deletion_id, SLICE) === SLICE) return false
  forgetDeletion(tx, deletion_id)
  return true
}
