import { Elysia, t } from 'elysia'
import { gate, type Member, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { type Asked, accessTo, findIssueById, getIssue, IssueParams, mayRead } from '#work/issues/index.ts'
import { StopWatchList } from './schema.ts'
import { clockTime } from './spell-time.ts'
import { findStopwatch } from './store.ts'
import { cancelWatch, type Spot, startWatch, stopWatch } from './track-time.ts'

/** The watch that runs while somebody works on an issue. */
export function stopwatches(context: Context) {
  const spotOf = (asked: Asked): Spot => ({ viewer: asked.viewer, repo: asked.repo, issue: getIssue(context, asked) })
  const terms = { repo: 'issues|pulls:read', params: IssueParams } as const
  return new Elysia({ name: 'times.stopwatches' })
    .use(gate(context))
    .use(paging(context))
    .post('/repos/:owner/:repo/issues/:index/stopwatch/start', (asked) => startWatch(context, spotOf(asked)), {
      ...terms,
      response: { 201: t.Void() },
      detail: { ...operation('issueStartStopWatch', 'Start stopwatch on an issue.', 'issue'), errors: [409] },
    })
    .post('/repos/:owner/:repo/issues/:index/stopwatch/stop', (asked) => stopWatch(context, spotOf(asked)), {
      ...terms,
      response: { 201: t.Void() },
      detail: { ...operation('issueStopStopWatch', "Stop an issue's existing stopwatch.", 'issue'), errors: [409] },
    })
    .delete('/repos/:owner/:repo/issues/:index/stopwatch/delete', (asked) => cancelWatch(context, spotOf(asked)), {
      ...terms,
      response: noContent,
      detail: { ...operation('issueDeleteStopWatch', "Delete an issue's existing stopwatch.", 'issue'), errors: [409] },
    })
    .get(
      '/user/stopwatches',
      ({ viewer, page, total }) => {
        const running = presentRunning(context, viewer)
        total(running.length)
        return running.slice(page.offset, page.offset + page.limit)
      },
      {
        signedIn: ['user', 'issue'],
        list: true,
        query: PageQuery,
        response: { 200: StopWatchList },
        detail: operation('userGetStopWatches', 'Get list of all existing stopwatches', 'user'),
      },
    )
}

/** The viewer's own, as long as they may read what it runs for. */
function presentRunning(context: Pick<Context, 'db' | 'clock'>, viewer: Member) {
  const running = findStopwatch(context.db, viewer.user.id)
  const issue = running && findIssueById(context.db, running.issue_id)
  const repo = issue && accessTo(context.db, viewer, issue.repo_id)
  if (!running || !issue || !repo || !mayRead(repo, issue)) return []
  const seconds = Math.max(0, context.clock.seconds() - running.started_at)
  return [
    {
      created: rfc3339(running.started_at),
      seconds,
      duration: clockTime(seconds),
      issue_index: issue.number,
      issue_title: issue.title,
      repo_owner_name: repo.owner.name,
      repo_name: repo.row.name,
    },
  ]
}
