import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { moveAttachmentsOf } from '#work/attachments/index.ts'
import { listFollowers, moveEntry } from './moved-store.ts'
import { indexComment } from './search-index-store.ts'
import { findIssueById } from './store.ts'

/** Entries that follow at a time: a few milliseconds. */
const SLICE = 50

/** Has the conversation of an issue follow it to the repository where it is now, in the order of the timeline: up to a time and an id. */
export const followMoved = defineJob({
  kind: 'issues.followMoved',
  title: 'Move what was said on moved issues',
  slice(tx, { issueId }: { issueId: number; fromRepoId: number }, after: readonly [at: number, id: number] | undefined) {
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

/** What was said on an issue follows it, and what is attached to that. */
export function letFollow({ jobs }: Pick<Context, 'jobs'>, tx: Tx, issueId: number, fromRepoId: number): void {
  jobs.enqueue(tx, followMoved, { issueId, fromRepoId }, { key: `${issueId}/${fromRepoId}` })
}
