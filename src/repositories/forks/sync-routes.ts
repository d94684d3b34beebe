import { Elysia } from 'elysia'
import { gate, noContent, operation, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { BadRequest } from '#kernel/errors.ts'
import { decodePath } from '#kernel/http.ts'
import { MergeUpstreamRequest, MergeUpstreamResponse, SyncForkInfo, SyncParams } from './schema.ts'
import { mergeUpstream, readSyncInfo } from './sync-fork.ts'

/** Forks kept up to what they were forked from. */
export function syncing(context: Context) {
  const sync = async (asked: { viewer: Parameters<typeof requireUser>[0]; repo: Parameters<typeof mergeUpstream>[2] }, branch: string) => {
    const viewer = requireUser(asked.viewer)
    const { allowed } = await readSyncInfo(context, viewer, asked.repo, branch)
    if (!allowed) throw new BadRequest("Fork can't be synced")
    await mergeUpstream(context, viewer, asked.repo, { branch, ffOnly: true })
  }
  return new Elysia({ name: 'forks.syncing' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/merge-upstream',
      async ({ viewer, repo, body }) => ({
        merge_type: await mergeUpstream(context, requireUser(viewer), repo, { branch: body.branch ?? '', ffOnly: body.ff_only ?? false }),
      }),
      {
        repo: 'code:write',
        params: RepoParams,
        body: MergeUpstreamRequest,
        response: { 200: MergeUpstreamResponse },
        detail: { ...operation('repoMergeUpstream', 'Merge a branch from upstream', 'repository'), errors: [400, 409] },
      },
    )
    .get('/repos/:owner/:repo/sync_fork', ({ viewer, repo }) => readSyncInfo(context, requireUser(viewer), repo, repo.row.default_branch), {
      repo: 'code:write',
      params: RepoParams,
      response: { 200: SyncForkInfo },
      detail: {
        ...operation('repoSyncForkDefaultInfo', 'Gets information about syncing the fork default branch with the base branch', 'repository'),
        errors: [400],
      },
    })
    .post('/repos/:owner/:repo/sync_fork', (asked) => sync(asked, asked.repo.row.default_branch), {
      repo: 'code:write',
      params: RepoParams,
      response: noContent,
      detail: { ...operation('repoSyncForkDefault', 'Syncs the default branch of a fork with the base branch', 'repository'), errors: [400, 409] },
    })
    .get('/repos/:owner/:repo/sync_fork/*', ({ viewer, repo, params }) => readSyncInfo(context, requireUser(viewer), repo, decodePath(params['*'])), {
      repo: 'code:write',
      params: SyncParams,
      response: { 200: SyncForkInfo },
      detail: { ...operation('repoSyncForkBranchInfo', 'Gets information about syncing a fork branch with the base branch', 'repository'), errors: [400] },
    })
    .post('/repos/:owner/:repo/sync_fork/*', (asked) => sync(asked, decodePath(asked.params['*'])), {
      repo: 'code:write',
      params: SyncParams,
      response: noContent,
      detail: { ...operation('repoSyncForkBranch', 'Syncs a fork branch with the base branch', 'repository'), errors: [400, 409] },
    })
}
