import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Reference, ReferringRows } from '#kernel/referring-rows.ts'

/** Rows done in one transaction: a few milliseconds. */
const SLICE = 50

/** Of these somebody may have very many; they go with the account. All else that does goes with its row. */
const numerous = new Set(['activity', 'deletion', 'follow', 'issue_assignee', 'issue_mention', 'issue_subscription', 'notification'])
for (const table of ['reaction', 'star', 'tracked_time', 'viewed_file', 'watch']) numerous.add(table)

const isWanted = ({ table, onDelete }: Reference) => onDelete === 'SET NULL' || numerous.has(table)

/**
 * Takes from an account that is being deleted what it wrote, which stays without it, and what it only had of others' things. With the row it
 * would be one statement, which holds everybody where that is very much.
 * @returns false when the server stops before that is done
 */
export async function takeFrom({ db, jobs }: Pick<Context, 'db' | 'jobs'>, { id }: Pick<UserRow, 'id'>): Promise<boolean> {
  const referring = new ReferringRows(db)
  while (db.provisional((tx) => referring.clear(tx, 'user', id, SLICE, isWanted)) === 0) {
    if (jobs.isStopping) return false
    await db.rest()
  }
  return true
}
