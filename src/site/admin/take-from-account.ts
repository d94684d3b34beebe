import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Reference, ReferringRows } from '#kernel/referring-rows.ts'

/** Of these somebody may have very many; they go with the account. All else that does goes with its row. */
const numerous = new Set(
  'activity deletion follow issue_assignee issue_mention issue_subscription notification reaction star tracked_time viewed_file watch'.split(' '),
)

const isWanted = ({ table, onDelete }: Reference) => onDelete === 'SET NULL' || numerous.has(table)

/**
 * Takes from an account that is being deleted what it wrote, which stays without it, and what it only had of others' things. With the row it
 * would be one statement, which holds everybody where that is very much.
 * @returns false when the server stops before that is done
 */
export function takeFrom({ jobs, services }: Pick<Context, 'jobs' | 'services'>, { id }: Pick<UserRow, 'id'>): Promise<boolean> {
  return services.get(ReferringRows).clearAll(jobs, 'user', id, isWanted)
}
