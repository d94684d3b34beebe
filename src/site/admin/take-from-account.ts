import type { UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Reference, ReferringRows } from '#kernel/database/referring-rows.ts'

/** Asked for once more when the account itself goes. */
const keptToTheEnd: ReadonlySet<string> = new Set(['email_address', 'org_membership', 'team_membership'])

const isWanted = ({ table }: Reference) => !keptToTheEnd.has(table)

/**
 * Takes from the account of a person that is being deleted what they wrote, which stays without it, and what was theirs alone. With the row it
 * would be one statement, which holds everybody where that is very much.
 * @returns false when the server stops before that is done
 */
export function takeFrom({ tasks, services }: Pick<Context, 'tasks' | 'services'>, { id }: Pick<UserRow, 'id'>): Promise<boolean> {
  return services.get(ReferringRows).clearAll(tasks, 'user', id, isWanted)
}
