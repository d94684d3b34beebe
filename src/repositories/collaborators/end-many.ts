import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { clearEnded, deleteEnded, findFirstEnded, insertEnded } from './ended-store.ts'

/** Rows that one step checks. */
const SLICE = 50

/** Processes the table `ended_collaboration`, which the view `collaborator` reads, too. The cursor is the number of rows that were checked. */
export const removeEndedCollaborations = defineJob({
  kind: 'collaborators.removeEnded',
  title: 'Remove ended collaborations',
  step(tx, _: Record<string, never>, looked: number | undefined) {
    const ended = findFirstEnded(tx)
    if (!ended) return done
    const now = clearEnded(tx, ended, SLICE)
    if (now < SLICE) deleteEnded(tx, ended.id)
    return (looked ?? 0) + now
  },
})

/** Ends the collaborations of a repository's owner, or of the members of the organization that owns it: their rights come from the ownership. */
export function endForOwners({ jobs }: Pick<Context, 'jobs'>, tx: Tx, repoId: number, ownerId: number): void {
  insertEnded(tx, { owner_id: ownerId, repo_id: repoId })
  jobs.enqueue(tx, removeEndedCollaborations, {}, { key: 'all' })
}

/** Ends a user's collaborations in all repositories of an owner. */
export function endWithOwner({ jobs }: Pick<Context, 'jobs'>, tx: Tx, ownerId: number, userId: number): void {
  insertEnded(tx, { owner_id: ownerId, user_id: userId })
  jobs.enqueue(tx, removeEndedCollaborations, {}, { key: 'all' })
}
