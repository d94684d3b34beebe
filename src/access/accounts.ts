import type { Db } from '#kernel/db.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import { isBlocked } from './accounts-store.ts'
import { canSeeOrg, canSeeUser } from './permissions.ts'
import type { UserRow } from './rows.ts'
import { findRenamedUser, findUserByName } from './store.ts'
import type { Viewer } from './viewer.ts'

/** The person or organization that has the name or, when nobody has, once had it; the viewer may not be allowed to see it. */
export function findAccount(db: Db, name: string): UserRow | undefined {
  return findUserByName(db, name) ?? findRenamedUser(db, name)
}

/** @throws NotFound for whom the viewer may not see, and for nobody */
export function getAccount(db: Db, viewer: Viewer, name: string): UserRow {
  const found = findAccount(db, name)
  if (!found || !canSeeAccount(db, viewer, found)) throw new NotFound(`user redirect does not exist [name: ${name.slice(0, 100)}]`)
  return found
}

/** For one account of either kind. */
export function canSeeAccount(db: Db, viewer: Viewer, account: UserRow): boolean {
  return account.kind === 'person' ? canSeeUser(viewer, account) : canSeeOrg(db, viewer, account)
}

/** @throws Forbidden when `blockerId`, a person or an organization, blocked the person */
export function refuseBlocked(db: Db, blockerId: number, personId: number): void {
  if (isBlocked(db, blockerId, personId)) throw new Forbidden('user is blocked')
}
