import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** Repositories looked at at a time: a few milliseconds. */
const SLICE = 100

/** Looks at what a person watches who lost access to some of it, by the ids of the repositories. */
export const endWatches = defineJob({
  kind: 'leaving.endWatches',
  title: 'End watches of people who lost access',
  slice(tx, { userId, ownerId }: { userId: number; ownerId: number }, after: number | undefined, { context }: { context: Pick<Context, 'services'> }) {
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
 * A person watches no repository of an owner's that they no longer see: they would be listed there, and watch it again whenever they are let in
 * again. Stars stay, as in Gitea.
 */
export function forgetLeaver({ jobs }: Pick<Context, 'jobs'>, tx: Tx, userId: number, ownerId: number): void {
  jobs.enqueue(tx, endWatches, { userId, ownerId }, { key: `${userId}/${ownerId}` })
}
