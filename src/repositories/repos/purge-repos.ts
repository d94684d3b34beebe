import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { deleteRepo } from './delete-repo.ts'
import { findLastOwnedRepoId } from './store.ts'

interface Purge {
  owner: UserRow
  /** The user who requested it. The account may not exist any more. */
  actor: Pick<UserRow, 'id'>
  /** The highest repository id. Repositories that are newer stay. Default: all are deleted. */
  lastId?: number
}

export const deleteAllRepos = defineJob({
  kind: 'repos.deleteAll',
  title: 'Delete all repositories of an owner',
  async run(asked: { ownerId: number; actorId: number; lastId: number }, _: null | undefined, { context }: { context: Context }) {
    const owner = accessStore.findUserById(context.db, asked.ownerId)
    const isOver = !owner || (await purgeRepos(context, { owner, actor: { id: asked.actorId }, lastId: asked.lastId }))
    return isOver ? done : null
  },
})

/** Deletes all current repositories of `owner` in the background. @returns false if there are none */
export function startPurge({ db, jobs }: Pick<Context, 'db' | 'jobs'>, owner: UserRow, actor: UserRow): boolean {
  if (!accessStore.ownsRepos(db, owner.id)) return false
  db.tx((tx) => {
    const asked = { ownerId: owner.id, actorId: actor.id, lastId: findLastOwnedRepoId(tx, owner.id) }
    jobs.enqueue(tx, deleteAllRepos, asked, { key: owner.id })
  })
  return true
}

/**
 * Deletes an owner's repositories, one transaction each.
 * @returns false if the server stops before all are deleted
 */
export async function purgeRepos(context: Context, { owner, actor, lastId = Number.MAX_SAFE_INTEGER }: Purge): Promise<boolean> {
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
