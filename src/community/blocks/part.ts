import { Interests } from '#access/hooks.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** Rows of each kind that one step reads. */
const SLICE = 100
const ALL = Number.MAX_SAFE_INTEGER

/** The cursor is the id of the last repository that was checked. Stars and watches that are newer than the job stay. */
export const removeInterests = defineJob({
  kind: 'blocks.removeInterests',
  title: 'Remove stars and watches of blocked users',
  step(
    tx,
    { userId, ownerId }: { userId: number; ownerId: number },
    after: number | undefined,
    { context, id }: { context: Pick<Context, 'services'>; id: number },
  ) {
    const kinds = context.services.get(Interests).all
    const lists = kinds.map((kind) => kind.listHeld(tx, userId, after ?? 0, SLICE))
    const until = Math.min(...lists.map((ids) => ids[SLICE - 1] ?? ALL))
    for (const kind of kinds) kind.dropOf(tx, userId, ownerId, { after: after ?? 0, until, before: id })
    return until === ALL ? done : until
  },
})

/** Removes a user's stars and watches of an owner's repositories. */
export function letGo({ jobs }: Pick<Context, 'jobs'>, tx: Tx, userId: number, ownerId: number): void {
  jobs.enqueue(tx, removeInterests, { userId, ownerId }, { key: `${userId}/${ownerId}` })
}
