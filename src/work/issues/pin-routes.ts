import { Elysia, t } from 'elysia'
import { gate, noContent, operation, RepoParams } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { getIssue } from './find-issue.ts'
import { isPinAllowed, movePin, pinIssue, unpinIssue } from './pin-issues.ts'
import { listPinned } from './pin-store.ts'
import { mayRead } from './rules.ts'
import { IssueList, IssueParams, NewIssuePinsAllowed } from './schema.ts'
import { presentIssues } from './view.ts'

const PinParams = t.Object({ ...IssueParams.properties, position: t.String({ documentedAs: 'integer', description: 'the new position, starting at 1' }) })

/** Issues that stand before all others. */
export function pinRoutes(context: Context) {
  return new Elysia({ name: 'issues.pins' })
    .use(gate(context))
    .get(
      '/repos/:owner/:repo/issues/pinned',
      ({ viewer, repo }) => (mayRead(repo, { is_pull: 0 }) ? presentIssues(context, viewer, listPinned(context.db, repo.row.id, 0), () => repo) : []),
      {
        repo: 'issues|pulls:read',
        params: RepoParams,
        response: { 200: IssueList },
        detail: operation('repoListPinnedIssues', "List a repo's pinned issues", 'repository'),
      },
    )
    .get('/repos/:owner/:repo/new_pin_allowed', ({ repo }) => ({ issues: isPinAllowed(context, repo, 0), pull_requests: isPinAllowed(context, repo, 1) }), {
      repo: 'issues|pulls:read',
      params: RepoParams,
      response: { 200: NewIssuePinsAllowed },
      detail: operation('repoNewPinAllowed', 'Returns if new Issue Pins are allowed', 'repository'),
    })
    .post('/repos/:owner/:repo/issues/:index/pin', (asked) => pinIssue(context, asked.viewer, asked.repo, getIssue(context, asked)), {
      repo: 'issues|pulls:admin',
      params: IssueParams,
      response: noContent,
      detail: { ...operation('pinIssue', 'Pin an Issue', 'issue'), errors: [409] },
    })
    .delete('/repos/:owner/:repo/issues/:index/pin', (asked) => unpinIssue(context, asked.viewer, asked.repo, getIssue(context, asked)), {
      repo: 'issues|pulls:admin',
      params: IssueParams,
      response: noContent,
      detail: operation('unpinIssue', 'Unpin an Issue', 'issue'),
    })
    .patch('/repos/:owner/:repo/issues/:index/pin/:position', (asked) => movePin(context, getIssue(context, asked), rowIdIn(asked.params.position)), {
      repo: 'issues|pulls:admin',
      params: PinParams,
      response: noContent,
      detail: operation('moveIssuePin', 'Moves the Pin to the given Position', 'issue'),
    })
}
