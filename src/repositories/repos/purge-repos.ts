import { accessStore, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { breathe, isDue } from '#kernel/breathe.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { deleteRepo } from './delete-repo.ts'
import { findLastOwnedRepoId } from './store.ts'

interface Purge {
  owner: UserRow
  /** Who asked for it; their account may be gone by now. */
  actor: Pick<UserRow, 'id'>
  /** Repositories with higher ids were made later, and stay. Default: none does. */
  lastId?: number
}

export const purge = defineJob({
  kind: 'repos.purge',
  title: 'Delete all repositories of an owner',
  async run(asked: { ownerId: number; actorId: number; lastId: number }, _: null | undefined, { context }: { context: Context }) {
    const owner = accessStore.findUserById(context.db, asked.ownerId)
    const isOver = !owner || (await purgeRepos(context, { owner, actor: { id: asked.actorId }, lastId: asked.lastId }))
    return isOver ? done : null
  },
})

/** Starts to delete all repositories that `owner` has now, in the background. @returns false when there are none */
export function startPurge({ db, jobs }: Pick<Context, 'db' | 'jobs'>, owner: UserRow, actor: UserRow): boolean {
  if (!accessStore.ownsRepos(db, owner.id)) return false
  db.tx((tx) => {
    const asked = { ownerId: owner.id, actorId: actor.id, lastId: findLastOwnedRepoId(tx, owner.id) }
    jobs.enqueue(tx, purge, asked, { key: owner.id })
  })
  return true
}

/**
 * Deletes an owner's repositories one after another, letting others in between.
 * @returns false when the server stops before all are gone
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
