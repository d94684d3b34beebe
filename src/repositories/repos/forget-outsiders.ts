import { Interests } from '#access/hooks.ts'
import { accessStore, isSeenBy } from '#access/index.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** People looked at at a time, of each kind of interest: a few milliseconds. */
const SLICE = 100
const EVERYBODY = Number.MAX_SAFE_INTEGER

/** Looks at everybody who stars or watches a repository that fewer see, by their ids. */
export const forgetOutsidersOf = defineJob({
  kind: 'repos.forgetOutsiders',
  title: 'End stars and watches of people who no longer see a repository',
  slice(tx, { repoId }: { repoId: number }, after: number | undefined, { context }: { context: Pick<Context, 'services'> }) {
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
 * Stars and watches of people who no longer see the repository end: what they would be told of it is not for them. They may be very many, and
 * whoever lists or tells something asks who may read it anyway.
 */
export function forgetOutsiders({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number): void {
  jobs.enqueue(tx, forgetOutsidersOf, { repoId }, { key: repoId })
}
