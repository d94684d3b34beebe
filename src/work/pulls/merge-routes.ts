import { Elysia, t } from 'elysia'
import { gate, operation } from '#access/index.ts'
import type { Context } from '#context.ts'
import { getPull } from './find-pull.ts'
import { mergePull } from './merge-pull.ts'
import { MergePullRequestOption, parseMerge } from './merge-schema.ts'
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
        await mergePull(context, asked.viewer, getPull(context, asked), parseMerge(asked.body))
      },
      {
        repo: 'pulls:read',
        params: PullParams,
        body: MergePullRequestOption,
        response: { 200: t.Void() },
        detail: operation('repoMergePullRequest', 'Merge a pull request', 'repository'),
      },
    )
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
        detail: operation('repoUpdatePullRequest', "Merge PR's baseBranch into headBranch", 'repository'),
      },
    )
}
