import type { UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Conflict } from '#kernel/errors.ts'
import { isLeaving } from './store.ts'

/** @throws Conflict when the account is being deleted with all it has: nothing new may come to it */
export function refuseLeaving(db: Db, { id }: Pick<UserRow, 'id'>): void {
  if (isLeaving(db, id)) throw new Conflict('The account is being deleted.')
}
