import { accessStore, type UserRow } from '../access/index.ts'
import type { Context } from '../context.ts'
import type { Db, Tx } from '../kernel/db.ts'
import { Unprocessable } from '../kernel/errors.ts'
import { listSolelyOwnedOrgs } from '../orgs/index.ts'
import { deleteRepo } from '../repos/index.ts'
import { userStore } from '../users/index.ts'

export interface DeleteUserOptions {
  /** Who deletes it, for the events of its repositories; absent: the command line, told as the account itself. */
  actor?: UserRow
  /** Its repositories and the organizations only it owns go too; without it they keep it from being deleted. */
  purge?: boolean
}

/**
 * Deletes an account and all that hangs on it. Its name and addresses stay reserved. A purge deletes repository by repository,
 * the account last: what a crash interrupts is a smaller account, which can be purged again.
 * @throws Unprocessable on the last administrator, and on owned repositories or organizations unless they are purged
 */
export function deleteUser(context: Context, user: UserRow, options: DeleteUserOptions = {}): void {
  refuseLastAdmin(context.db, user)
  if (options.purge) purgeBelongings(context, user, options.actor ?? user)
  context.db.tx((tx) => removeAccount(tx, user, context.clock.seconds()))
}

function purgeBelongings(context: Context, user: UserRow, actor: UserRow): void {
  for (const org of listSolelyOwnedOrgs(context.db, user.id)) {
    purgeRepos(context, org, actor)
    context.db.tx((tx) => removeAccount(tx, org, context.clock.seconds()))
  }
  purgeRepos(context, user, actor)
}

function purgeRepos(context: Context, owner: UserRow, actor: UserRow): void {
  for (const repo of accessStore.listOwnedRepos(context.db, owner.id)) deleteRepo(context, { actor, owner, repo })
}

/** Of a person or an organization. Everything else that references it goes with the row. */
function removeAccount(tx: Tx, account: UserRow, now: number): void {
  refuseLastAdmin(tx, account)
  refuseOwner(tx, account)
  userStore.reserveEmails(tx, account, now)
  userStore.keepLeftNames(tx, account.id)
  userStore.reserveName(tx, account.name, 'deleted', null, now)
  userStore.removeUser(tx, account.id)
}

function refuseOwner(tx: Tx, user: UserRow): void {
  if (accessStore.listOwnedRepos(tx, user.id).length > 0) throw new Unprocessable(`user still has ownership of repositories [uid: ${user.id}]`)
  if (listSolelyOwnedOrgs(tx, user.id).length > 0) throw new Unprocessable(`user still has ownership of organizations [uid: ${user.id}]`)
}

function refuseLastAdmin(db: Db, user: UserRow): void {
  if (user.is_admin === 1 && userStore.countAdmins(db) === 1) throw new Unprocessable(`can not delete the last admin user [uid: ${user.id}]`)
}
