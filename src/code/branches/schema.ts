import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { PayloadCommit } from '#code/commits/index.ts'
import { Int } from '#kernel/schema.ts'

export const Branch = t.Object(
  {
    name: t.String(),
    commit: PayloadCommit,
    protected: t.Boolean(),
    required_approvals: Int(),
    enable_status_check: t.Boolean(),
    status_check_contexts: t.Array(t.String()),
    user_can_push: t.Boolean(),
    user_can_merge: t.Boolean(),
    effective_branch_protection_name: t.String(),
  },
  { $id: 'Branch' },
)
export type Branch = Static<typeof Branch>
export const BranchList = t.Nullable(t.Array(Branch, { $id: 'BranchList' }))

export const CreateBranchRepoOption = t.Object(
  {
    new_branch_name: t.String({ minLength: 1, maxLength: 100, description: 'Name of the branch to create' }),
    old_ref_name: t.Optional(t.String({ maxLength: 1024, description: 'Branch, tag or commit to start from; default: the default branch' })),
    old_branch_name: t.Optional(t.String({ maxLength: 1024, description: 'Deprecated: branch to start from' })),
  },
  { $id: 'CreateBranchRepoOption' },
)
export type CreateBranchRepoOption = Static<typeof CreateBranchRepoOption>

export const RenameBranchRepoOption = t.Object(
  { name: t.String({ minLength: 1, maxLength: 100, description: 'new name of the branch' }) },
  { $id: 'RenameBranchRepoOption' },
)

export const UpdateBranchRepoOption = t.Object(
  {
    new_commit_id: t.String({ minLength: 1, maxLength: 1024, description: 'commit that the branch should point to' }),
    old_commit_id: t.Optional(t.String({ maxLength: 64, description: 'expected current commit of the branch; the update fails if it differs' })),
    force: t.Optional(t.Boolean({ description: 'force the update if it is not a fast-forward' })),
  },
  { $id: 'UpdateBranchRepoOption' },
)
export type UpdateBranchRepoOption = Static<typeof UpdateBranchRepoOption>

export const BranchesQuery = t.Object({
  ...PageQuery.properties,
  q: t.Optional(t.String({ maxLength: 255, description: 'only branches whose name contains this text' })),
})
