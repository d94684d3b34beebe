import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import type { Tx } from '#kernel/db.ts'
import { deletePurge, insertPurge, listPurges, type Purge } from '#people/leaving/index.ts'
import { deleteRepo } from './delete-repo.ts'
import { findLastOwnedRepoId } from './store.ts'

/**
 * Starts to delete all repositories that `owner` has now, in the background; what a crash interrupts goes on at the next start, and what
 * the disk refuses a little later.
 * @returns false when there are none
 */
export function startPurge(context: Context, owner: UserRow, actor: UserRow): boolean {
  if (!accessStore.ownsRepos(context.db, owner.id)) return false
  const purge = context.db.tx((tx) => askForPurge(tx, { owner_id: owner.id, actor_id: actor.id, takes_account: 0 }))
  void context.tasks.insist('delete repositories', () => finishPurge(context, purge))
  return true
}

/** Writes down that all repositories which the owner has now are to go. */
export function askForPurge(tx: Tx, asked: Omit<Purge, 'last_repo_id'>): Purge {
  return insertPurge(tx, { ...asked, last_repo_id: findLastOwnedRepoId(tx, asked.owner_id) })
}

/** Goes on with what an earlier run of the server could not finish. Those that take an account along are their starter's to finish. */
export function finishPurges(context: Context): void {
  for (const purge of listPurges(context.db)) {
    if (purge.takes_account === 0) void context.tasks.insist('delete repositories', () => finishPurge(context, purge))
  }
}

async function finishPurge(context: Context, purge: Purge): Promise<void> {
  const owner = accessStore.findUserById(context.db, purge.owner_id)
  if (!owner) return
  const isOver = await purgeRepos(context, owner, { id: purge.actor_id }, purge.last_repo_id)
  if (isOver) context.db.tx((tx) => deletePurge(tx, purge))
}

/**
 * Deletes an owner's repositories one after another, letting others in between; `lastId` and older ones.
 * @returns false when the server stops before all are gone
 */
export async function purgeRepos(context: Context, owner: UserRow, actor: Pick<UserRow, 'id'>, lastId = Number.MAX_SAFE_INTEGER): Promise<boolean> {
  for (const id of accessStore.listOwnedRepoIds(context.db, owner.id)) {
    if (id > lastId) break
    if (isDue()) await breathe()
    if (context.tasks.isStopping) return false
    const repo = accessStore.findRepoById(context.db, id)
    // It may have changed hands.
    if (repo?.owner_id === owner.id) deleteRepo(context, { actor, owner, repo })
  }
  return true
}
