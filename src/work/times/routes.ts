import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { issueTimes } from './issue-routes.ts'
import { timeLists } from './list-routes.ts'
import { stopwatches } from './stopwatch-routes.ts'

/** Time that people track, and the watches they track it with. */
export function times(context: Context) {
  return new Elysia({ name: 'times' }).use(issueTimes(context)).use(timeLists(context)).use(stopwatches(context))
}
