import { Elysia } from 'elysia'
import { gate, lineOf, noContent, operation, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { type Asked, getIssue, IssueParams, isWriter } from '#work/issues/index.ts'
import { spanOf, workerIn } from './list-times.ts'
import { AddTimeOption, TimeParams, TimesQuery, TrackedTime, TrackedTimeList } from './schema.ts'
import { listTimes } from './store.ts'
import { addTime, isTracking, removeTime, resetTime, type Spot } from './track-time.ts'
import { presentTimes } from './view.ts'

/** Times of one issue. */
export function issueTimes(context: Context) {
  const spotOf = (asked: Asked): Spot => ({ viewer: asked.viewer, repo: asked.repo, issue: getIssue(context, asked) })
  return new Elysia({ name: 'times.issue' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/issues/:index/times',
      async ({ page, total, query, ...asked }) => {
        const { viewer, repo, issue } = spotOf(asked)
        if (!isTracking(context, repo)) throw new NotFound('Timetracker is disabled')
        const userId = workerIn(context.db, viewer, repo, isWriter(repo, issue), query.user)
        const found = await listTimes(context.db, lineOf(viewer), { issueId: issue.id, userId, ...spanOf(query) }, page)
        total(found.total)
        return presentTimes(context, viewer, found.rows)
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: IssueParams,
        query: TimesQuery,
        response: { 200: TrackedTimeList },
        detail: { ...operation('issueTrackedTimes', "List an issue's tracked times", 'issue'), errors: [400] },
      },
    )
    .post(
      '/repos/:owner/:repo/issues/:index/times',
      (asked) => presentTimes(context, asked.viewer, [addTime(context, spotOf(asked), asked.body)])[0] as TrackedTime,
      {
        repo: 'issues|pulls:read',
        params: IssueParams,
        body: AddTimeOption,
        response: { 200: TrackedTime },
        detail: operation('issueAddTime', 'Add tracked time to a issue', 'issue'),
      },
    )
    .delete('/repos/:owner/:repo/issues/:index/times', (asked) => resetTime(context, spotOf(asked)), {
      repo: 'issues|pulls:read',
      params: IssueParams,
      response: noContent,
      detail: { ...operation('issueResetTime', 'Reset a tracked time of an issue', 'issue'), errors: [400] },
    })
    .delete('/repos/:owner/:repo/issues/:index/times/:id', (asked) => removeTime(context, spotOf(asked), asked.params.id), {
      repo: 'issues|pulls:read',
      params: TimeParams,
      response: noContent,
      detail: { ...operation('issueDeleteTime', 'Delete specific tracked time', 'issue'), errors: [400] },
    })
}
