import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { clearEnded, deleteEnded, findFirstEnded, insertEnded } from './ended-store.ts'

/** Rows looked at at a time: a few milliseconds. */
const SLICE = 50

/** Works through the list of what has ended: the view of those who may do something reads that list, too. */
export const clearCollaborations = defineJob({
  kind: 'collaborators.clearEnded',
  title: 'Clear collaborations that have ended',
  slice(tx, _: Record<string, never>, looked: number | undefined) {
    const ended = findFirstEnded(tx)
    if (!ended) return done
    const now = clearEnded(tx, ended, SLICE)
    if (now < SLICE) deleteEnded(tx, ended.id)
    return (looked ?? 0) + now
  },
})

/** Who owns the repository, or is a member of the organization that does, has their rights from that: what they were given by name ends. */
export function endForOwners({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number, ownerId: number): void {
  insertEnded(tx, { owner_id: ownerId, repo_id: repoId })
  jobs.enqueue(tx, clearCollaborations, {}, { key: 'all' })
}

/** What a person was given ends in all repositories of an owner. */
export function endWithOwner({ jobs }: Pick<Context, 'jobs'>, tx: Tx, ownerId: number, userId: number): void {
  insertEnded(tx, { owner_id: ownerId, user_id: userId })
  jobs.enqueue(tx, clearCollaborations, {}, { key: 'all' })
}
