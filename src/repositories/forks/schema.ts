import { type Static, t } from 'elysia'
import { RepoParams } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'

export const CreateForkOption = t.Object(
  {
    name: t.Optional(t.String({ maxLength: 100, description: 'Name of the fork. Default: the name of the repository.' })),
    organization: t.Optional(t.String({ maxLength: 100, description: 'Organization that will own the fork. Default: the signed-in user.' })),
  },
  { $id: 'CreateForkOption' },
)
export type CreateForkOption = Static<typeof CreateForkOption>

export const MergeUpstreamRequest = t.Object(
  {
    branch: t.Optional(t.String({ maxLength: 1024, description: 'Branch of the fork' })),
    ff_only: t.Optional(t.Boolean({ description: 'Fast-forward only: fail instead of creating a merge commit' })),
  },
  { $id: 'MergeUpstreamRequest' },
)

export const MergeUpstreamResponse = t.Object({ merge_type: t.String() }, { $id: 'MergeUpstreamResponse' })

export const SyncForkInfo = t.Object({ allowed: t.Boolean(), fork_commit: t.String(), base_commit: t.String(), commits_behind: Int() }, { $id: 'SyncForkInfo' })

export const SyncParams = t.Object({ ...RepoParams.properties, '*': t.String({ title: 'branch', description: 'Branch of the fork' }) })
