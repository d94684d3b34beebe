import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** Repositories that one step checks. */
const SLICE = 100

/** The cursor is the id of the last repository that was checked. */
export const removeWatches = defineJob({
  kind: 'leaving.removeWatches',
  title: 'Remove watches of users who lost access',
  step(tx, { userId, ownerId }: { userId: number; ownerId: number }, after: number | undefined, { context }: { context: Pick<Context, 'services'> }) {
    const { watching } = context.services.get(Interests)
    const ids = watching.listHeld(tx, userId, after ?? 0, SLICE)
    for (const id of ids) {
      const repo = accessStore.findRepoById(tx, id)
      if (repo?.owner_id === ownerId && !isSeenBy(tx, userId, repo)) watching.drop(tx, userId, id)
    }
    return ids[SLICE - 1] ?? done
  },
})

/**
 * Removes a user's watches of the owner's repositories that the user can no longer see. Otherwise the user would be listed as a watcher, and would
 * watch the repository again when they get access again. Stars stay, as in Gitea.
 */
export function forgetLeaver({ jobs }: Pick<Context, 'jobs'>, tx: Tx, userId: number, ownerId: number): void {
  jobs.enqueue(tx, removeWatches, { userId, ownerId }, { key: `${userId}/${ownerId}` })
}
