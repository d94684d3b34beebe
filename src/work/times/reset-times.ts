import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { clearTimes, findWorked } from './reset-store.ts'

/** Rows that one step deletes. */
const SLICE = 100

/** Deletes times up to the id `until`. The view `standing_time` hides them from the moment that the job exists. */
export const deleteResetTimes = defineJob({
  kind: 'times.deleteReset',
  title: 'Delete tracked times that were reset',
  step(tx, { issueId, userId, until }: { issueId: number; userId: number; until: number }, cleared: number | undefined) {
    const now = clearTimes(tx, issueId, userId, until, SLICE)
    return now < SLICE ? done : (cleared ?? 0) + now
  },
})

/** Resets a user's tracked times of an issue. @returns their sum in seconds; undefined if there are none */
export function takeBack({ jobs }: Pick<Context, 'jobs'>, tx: Tx, issueId: number, userId: number): number | undefined {
  const worked = findWorked(tx, issueId, userId)
  if (worked) jobs.enqueue(tx, deleteResetTimes, { issueId, userId, until: worked.until }, { key: `${issueId}/${userId}` })
  return worked?.seconds
}
