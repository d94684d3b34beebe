import { accessStore, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { GoneRows } from '#kernel/database/gone-rows.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Problem, Unprocessable } from '#kernel/errors.ts'
import { endPurge, listPurges } from '#people/leaving/index.ts'
import { findSolelyOwnedOrg, leaveOrgs } from '#people/orgs/index.ts'
import { userStore } from '#people/users/index.ts'
import { askForPurge, finishPurges, purgeRepos } from '#repositories/repos/index.ts'
import { refuseLastAdmin } from './rules.ts'
import { takeFrom } from './take-from-account.ts'

export interface DeleteUserOptions {
  /** Who deletes it, for the events of its repositories; absent: the command line, told as the account itself. */
  actor?: UserRow
  /** Its repositories and the organizations only it owns go too; without it they keep it from being deleted. */
  purge?: boolean
}

/**
 * Deletes an account and all that hangs on it. Its name and addresses stay reserved. The account is barred at once; a purge deletes
 * repository by repository, what the account wrote is taken from it a little at a time, and it goes last. What a crash interrupts goes on at
 * the next start, and what the disk refuses a little later.
 * @throws Unprocessable on the last administrator, and on owned repositories or organizations unless they are purged; Problem 503
 * when the server stops before it is over
 */
export async function deleteUser(context: Context, user: UserRow, options: DeleteUserOptions = {}): Promise<void> {
  const actor = options.actor ?? user
  context.db.tx((tx) => {
    if (!options.purge) refuseOwner(tx, user)
    barForPurge(tx, user, actor)
    // An organization whose other owners leave it now is not to go along.
    if (!options.purge) leaveOrgs(tx, user.id)
  })
  const isOver = await purgeAccount(context, user, actor).catch((error) => {
    insist(context, user, actor)
    throw error
  })
  if (!isOver) throw new Problem(503, 'The server is stopping; it goes on with the deletion when it is started again.')
}

/** Deletes somebody else's account. @throws Unprocessable on one's own, and as `deleteUser` does */
export async function deleteOther(context: Context, viewer: Member, user: UserRow, purge: boolean): Promise<void> {
  if (user.id === viewer.user.id) throw new Unprocessable('you cannot delete yourself')
  await deleteUser(context, user, { actor: viewer.user, purge })
}

/** Goes on with the purges that an earlier run of the server could not finish. */
export function finishDeletions(context: Context): void {
  finishPurges(context)
  for (const { owner_id, actor_id, takes_account } of listPurges(context.db)) {
    const user = accessStore.findUserById(context.db, owner_id)
    if (user && takes_account === 1) insist(context, user, { id: actor_id })
  }
}

function insist(context: Context, user: UserRow, actor: Pick<UserRow, 'id'>): void {
  void context.tasks.insist('delete account', async () => void (await purgeAccount(context, user, actor)))
}

function barForPurge(tx: Tx, user: UserRow, actor: UserRow): void {
  if (!accessStore.findUserById(tx, user.id)) throw new NotFound()
  refuseLastAdmin(tx, user)
  userStore.updateUser(tx, user.id, { prohibit_login: 1, is_admin: 0 })
  askForPurge(tx, { owner_id: user.id, actor_id: actor.id, takes_account: 1 })
}

/**
 * One owner at a time, as things are then: an organization may get another owner meanwhile, or another repository.
 * @returns false when the server stops before all is gone
 */
async function purgeAccount(context: Context, user: UserRow, actor: Pick<UserRow, 'id'>): Promise<boolean> {
  while (accessStore.findUserById(context.db, user.id)) {
    const owner = findSolelyOwnedOrg(context.db, user.id) ?? user
    if (!(await purgeRepos(context, owner, actor))) return false
    if (owner.kind === 'person' && !(await takeFrom(context, owner))) return false
    context.db.txLeavingRows((tx) => {
      const next = findSolelyOwnedOrg(tx, user.id) ?? user
      const isBare = !accessStore.ownsRepos(tx, owner.id)
      if (next.id === owner.id && isBare) removeAccount(context, tx, owner)
    })
  }
  return true
}

/** Of a person or an organization, if it is still there. What else refers to it follows a little at a time. */
function removeAccount({ clock, services }: Pick<Context, 'clock' | 'services'>, tx: Tx, { id }: UserRow): void {
  const now = clock.seconds()
  const account = accessStore.findUserById(tx, id)
  if (!account) return
  refuseLastAdmin(tx, account)
  refuseOwner(tx, account)
  userStore.reserveEmails(tx, account, now)
  userStore.keepLeftNames(tx, account.id)
  userStore.reserveName(tx, account.name, 'deleted', null, now)
  leaveOrgs(tx, account.id)
  endPurge(tx, account.id)
  services.get(GoneRows).delete(tx, 'user', account.id)
}

function refuseOwner(tx: Tx, user: UserRow): void {
  if (accessStore.ownsRepos(tx, user.id)) throw new Unprocessable(`user still has ownership of repositories [uid: ${user.id}]`)
  if (findSolelyOwnedOrg(tx, user.id)) throw new Unprocessable(`user still has ownership of organizations [uid: ${user.id}]`)
}
