import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { moveAttachmentsOf } from '#work/attachments/index.ts'
import { listFollowers, moveEntry } from './moved-store.ts'
import { indexComment } from './search-index-store.ts'
import { findIssueById } from './store.ts'

/** Timeline events that one step moves. */
const SLICE = 50

/** Moves the timeline of an issue to the repository that the issue is in now. The cursor is the time and id of the last event that was moved. */
export const moveComments = defineJob({
  kind: 'issues.moveComments',
  title: 'Move comments of moved issues',
  step(tx, { issueId }: { issueId: number; fromRepoId: number }, after: readonly [at: number, id: number] | undefined) {
    const repoId = findIssueById(tx, issueId)?.repo_id
    if (repoId === undefined) return done
    const followers = listFollowers(tx, issueId, after ?? [-1, 0], SLICE)
    for (const { id, type, body, deleted_at } of followers) {
      moveEntry(tx, id, repoId)
      if (type === 'comment' && deleted_at === null) indexComment(tx, { id, repo_id: repoId, body })
    }
    moveAttachmentsOf(
      tx,
      followers.map(({ id }) => id),
      repoId,
    )
    const last = followers[SLICE - 1]
    return last ? ([last.created_at, last.id] as const) : done
  },
})

/** Moves an issue's comments, with their attachments, to the issue's new repository. */
export function letFollow({ jobs }: Pick<Context, 'jobs'>, tx: Tx, issueId: number, fromRepoId: number): void {
  jobs.enqueue(tx, moveComments, { issueId, fromRepoId }, { key: `${issueId}/${fromRepoId}` })
}
