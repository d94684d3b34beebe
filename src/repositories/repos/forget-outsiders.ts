import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** Users that one step checks, for each kind of interest. */
const SLICE = 100
const EVERYBODY = Number.MAX_SAFE_INTEGER

/** The cursor is the id of the last user that was checked. */
export const removeOutsiders = defineJob({
  kind: 'repos.removeOutsiders',
  title: 'Remove stars and watches of users who can no longer see a repository',
  step(tx, { repoId }: { repoId: number }, after: number | undefined, { context }: { context: Pick<Context, 'services'> }) {
    const repo = accessStore.findRepoById(tx, repoId)
    if (!repo) return done
    const kinds = context.services.get(Interests).all.map((interest) => ({ interest, holders: interest.listHolders(tx, repoId, after ?? 0, SLICE) }))
    const until = Math.min(...kinds.map(({ holders }) => holders[SLICE - 1] ?? EVERYBODY))
    for (const { interest, holders } of kinds) {
      for (const userId of holders) if (userId <= until && !isSeenBy(tx, userId, repo)) interest.drop(tx, userId, repoId)
    }
    return until === EVERYBODY ? done : until
  },
})

/**
 * Removes the stars and watches of users who can no longer see the repository. This is cleanup: lists and notifications check permissions
 * themselves.
 */
export function forgetOutsiders({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number): void {
  jobs.enqueue(tx, removeOutsiders, { repoId }, { key: repoId })
}
