import { accessStore, type Member, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { deleteRow } from '#kernel/database/delete-row.ts'
import type { Tx } from '#kernel/db.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { findSolelyOwnedOrg, leaveOrgs } from '#people/orgs/index.ts'
import { userStore } from '#people/users/index.ts'
import { purgeRepos } from '#repositories/repos/index.ts'
import { refuseLastAdmin } from './rules.ts'
import { takeFrom } from './take-from-account.ts'

export interface DeleteUserOptions {
  /** Who deletes it, for the events of its repositories; absent: the command line, told as the account itself. */
  actor?: UserRow
  /** Its repositories and the organizations only it owns go too; without it they keep it from being deleted. */
  purge?: boolean
}

export const deleteAccount = defineJob({
  kind: 'admin.deleteAccount',
  title: 'Delete a user account',
  // A request waits for each deletion.
  concurrency: 4,
  async run({ userId, actorId }: { userId: number; actorId: number }, _: null | undefined, { context }: { context: Context }) {
    const user = accessStore.findUserById(context.db, userId)
    const isOver = !user || (await purgeAccount(context, user, { id: actorId }))
    return isOver ? done : null
  },
})

/**
 * Deletes an account and all that hangs on it. Its name and addresses stay reserved. The account is barred at once; a purge deletes
 * repository by repository, what the account wrote is taken from it a little at a time, and it goes last.
 * @throws Unprocessable on the last administrator, and on owned repositories or organizations unless they are purged; Problem 503
 * when the server stops before it is over
 */
export async function deleteUser(context: Context, user: UserRow, options: DeleteUserOptions = {}): Promise<void> {
  const actor = options.actor ?? user
  context.db.tx((tx) => {
    if (!options.purge) refuseOwner(tx, user)
    bar(tx, user)
    context.jobs.enqueue(tx, deleteAccount, { userId: user.id, actorId: actor.id }, { key: user.id })
    // An organization whose other owners leave it now is not to go along.
    if (!options.purge) leaveOrgs(tx, user.id)
  })
  await context.jobs.finished(deleteAccount, user.id)
}

/** Deletes somebody else's account. @throws Unprocessable on one's own, and as `deleteUser` does */
export async function deleteOther(context: Context, viewer: Member, user: UserRow, purge: boolean): Promise<void> {
  if (user.id === viewer.user.id) throw new Unprocessable('you cannot delete yourself')
  await deleteUser(context, user, { actor: viewer.user, purge })
}

function bar(tx: Tx, user: UserRow): void {
  if (!accessStore.findUserById(tx, user.id)) throw new NotFound()
  refuseLastAdmin(tx, user)
  userStore.updateUser(tx, user.id, { prohibit_login: 1, is_admin: 0 })
}

/**
 * One owner at a time, as things are then: an organization may get another owner meanwhile, or another repository.
 * @returns false when the server stops before all is gone
 */
async function purgeAccount(context: Context, user: UserRow, actor: Pick<UserRow, 'id'>): Promise<boolean> {
  while (accessStore.findUserById(context.db, user.id)) {
    const owner = findSolelyOwnedOrg(context.db, user.id) ?? user
    if (!(await purgeRepos(context, { owner, actor }))) return false
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
function removeAccount({ clock, jobs }: Pick<Context, 'clock' | 'jobs'>, tx: Tx, { id }: UserRow): void {
  const now = clock.seconds()
  const account = accessStore.findUserById(tx, id)
  if (!account) return
  refuseLastAdmin(tx, account)
  refuseOwner(tx, account)
  userStore.reserveEmails(tx, account, now)
  userStore.keepLeftNames(tx, account.id)
  userStore.reserveName(tx, account.name, 'deleted', null, now)
  leaveOrgs(tx, account.id)
  deleteRow({ jobs }, tx, 'user', account.id)
}

function refuseOwner(tx: Tx, user: UserRow): void {
  if (accessStore.ownsRepos(tx, user.id)) throw new Unprocessable(`user still has ownership of repositories [uid: ${user.id}]`)
  if (findSolelyOwnedOrg(tx, user.id)) throw new Unprocessable(`user still has ownership of organizations [uid: ${user.id}]`)
}
