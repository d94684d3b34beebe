import { Elysia, t } from 'elysia'
import { gate, noContent, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getPull } from '#work/issues/index.ts'
import { mergePull } from './merge-pull.ts'
import { APIMergeConflictError, MergePullRequestOption, parseMerge } from './merge-schema.ts'
import { cancelScheduled, scheduleMerge } from './schedule-merge.ts'
import { PullParams } from './schema.ts'
import { updateBranch } from './update-branch.ts'

const StyleQuery = t.Object({ style: t.Optional(t.String({ description: 'how to update the branch: merge or rebase' })) })

/** Merging a pull request, and bringing its branch up to date. */
export function mergeRoutes(context: Context) {
  return new Elysia({ name: 'pulls.merge' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/pulls/:index/merge',
      async (asked) => {
        const issue = getPull(context, asked)
        const terms = parseMerge(asked.body)
        // What somebody merged elsewhere has nothing to wait for.
        if (asked.body.merge_when_checks_succeed !== true || terms.style === 'manually-merged') return mergePull(context, asked.viewer, issue, terms)
        await scheduleMerge(context, asked.viewer, issue, terms)
        asked.set.status = 201
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        body: MergePullRequestOption,
        response: { 200: t.Void(), 201: t.Void(), 409: APIMergeConflictError },
        detail: { ...operation('repoMergePullRequest', 'Merge a pull request', 'repository'), errors: [405] },
      },
    )
    .delete('/repos/:owner/:repo/pulls/:index/merge', (asked) => cancelScheduled(context, asked.viewer, getPull(context, asked)), {
      repo: 'pulls:read',
      params: PullParams,
      response: noContent,
      detail: operation('repoCancelScheduledAutoMerge', 'Cancel the scheduled auto merge for the given pull request', 'repository'),
    })
    .post(
      '/repos/:owner/:repo/pulls/:index/update',
      async (asked) => {
        await updateBranch(context, asked.viewer, asked.repo, getPull(context, asked), asked.query.style === 'rebase' ? 'rebase' : 'merge')
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        query: StyleQuery,
        response: { 200: t.Void() },
        detail: { ...operation('repoUpdatePullRequest', "Merge PR's baseBranch into headBranch", 'repository'), errors: [409] },
      },
    )
}
