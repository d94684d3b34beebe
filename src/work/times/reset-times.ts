import type { Context } from '#context.ts'
import type { Tx } from '#kernel/db.ts'
import { defineJob, done } from '#kernel/jobs/define-job.ts'
import { clearTimes, findWorked } from './reset-store.ts'

/** Rows cleared at a time: a few milliseconds. */
const SLICE = 100

/** Clears times that were taken back: the view `standing_time` leaves them out until then. What is tracked later has higher ids. */
export const clearTakenBack = defineJob({
  kind: 'times.clear',
  title: 'Clear times that were taken back',
  slice(tx, { issueId, userId, until }: { issueId: number; userId: number; until: number }, cleared: number | undefined) {
    const now = clearTimes(tx, issueId, userId, until, SLICE)
    return now < SLICE ? done : (cleared ?? 0) + now
  },
})

/** Takes back all that somebody worked on an issue. @returns how many seconds that was; undefined: nothing */
export function takeBack({ jobs }: Pick<Context, 'jobs'>, tx: Tx, issueId: number, userId: number): number | undefined {
  const worked = findWorked(tx, issueId, userId)
  if (worked) jobs.enqueue(tx, clearTakenBack, { issueId, userId, until: worked.until }, { key: `${issueId}/${userId}` })
  return worked?.seconds
}
