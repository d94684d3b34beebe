import { Interests } from '#access/hooks.ts'
import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'

/** Rows of each kind looked at at a time: a few milliseconds. */
const SLICE = 100
const ALL = Number.MAX_SAFE_INTEGER

/** Goes through the repositories that a person stars or watches, by their ids. What was begun after the job was written down stays. */
export const part = defineJob({
  kind: 'blocks.part',
  title: 'End stars and watches of blocked people',
  slice(
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

/** Stars and watches that a person has of an owner's repositories end. */
export function letGo({ jobs }: Pick<Context, 'jobs'>, tx: Tx, userId: number, ownerId: number): void {
  jobs.enqueue(tx, part, { userId, ownerId }, { key: `${userId}/${ownerId}` })
}
