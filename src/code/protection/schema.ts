import { type Static, t } from 'elysia'
import { Int, Time, wordList } from '#kernel/schema.ts'

const Names = t.Array(t.String())

export const BranchProtection = t.Object(
  {
    branch_name: t.String({ description: 'Deprecated: the rule name if it names one branch, otherwise empty' }),
    rule_name: t.String(),
    priority: Int(),
    enable_push: t.Boolean(),
    enable_push_whitelist: t.Boolean(),
    push_whitelist_usernames: Names,
    push_whitelist_teams: Names,
    push_whitelist_deploy_keys: t.Boolean(),
    enable_force_push: t.Boolean(),
    enable_force_push_allowlist: t.Boolean(),
    force_push_allowlist_usernames: Names,
    force_push_allowlist_teams: Names,
    force_push_allowlist_deploy_keys: t.Boolean(),
    enable_merge_whitelist: t.Boolean(),
    merge_whitelist_usernames: Names,
    merge_whitelist_teams: Names,
    enable_bypass_allowlist: t.Boolean(),
    bypass_allowlist_usernames: Names,
    bypass_allowlist_teams: Names,
    enable_status_check: t.Boolean(),
    status_check_contexts: t.Array(t.String()),
    required_approvals: Int(),
    enable_approvals_whitelist: t.Boolean(),
    approvals_whitelist_username: Names,
    approvals_whitelist_teams: Names,
    block_on_rejected_reviews: t.Boolean(),
    block_on_official_review_requests: t.Boolean(),
    block_on_outdated_branch: t.Boolean(),
    dismiss_stale_approvals: t.Boolean(),
    ignore_stale_approvals: t.Boolean(),
    require_signed_commits: t.Boolean(),
    protected_file_patterns: t.String(),
    unprotected_file_patterns: t.String(),
    block_admin_merge_override: t.Boolean(),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'BranchProtection' },
)
export type BranchProtection = Static<typeof BranchProtection>
export const BranchProtectionList = t.Array(BranchProtection)

const Flag = t.Optional(t.Boolean())
const GivenNames = t.Optional(wordList(t.String({ maxLength: 255 }), { maxItems: 500 }))
const Patterns = t.Optional(t.String({ maxLength: 4096, description: 'globs, separated by semicolons' }))
const options = {
  priority: t.Optional(Int({ minimum: 0, maximum: 1_000_000_000 })),
  enable_push: Flag,
  enable_push_whitelist: Flag,
  push_whitelist_usernames: GivenNames,
  push_whitelist_teams: GivenNames,
  push_whitelist_deploy_keys: Flag,
  enable_force_push: Flag,
  enable_force_push_allowlist: Flag,
  force_push_allowlist_usernames: GivenNames,
  force_push_allowlist_teams: GivenNames,
  force_push_allowlist_deploy_keys: Flag,
  enable_merge_whitelist: Flag,
  merge_whitelist_usernames: GivenNames,
  merge_whitelist_teams: GivenNames,
  enable_bypass_allowlist: Flag,
  bypass_allowlist_usernames: GivenNames,
  bypass_allowlist_teams: GivenNames,
  enable_status_check: Flag,
  status_check_contexts: t.Optional(t.Array(t.String({ maxLength: 255, description: 'a glob' }), { maxItems: 200 })),
  required_approvals: t.Optional(Int({ maximum: 1_000_000_000, description: 'negative numbers count as 0' })),
  enable_approvals_whitelist: Flag,
  approvals_whitelist_username: GivenNames,
  approvals_whitelist_teams: GivenNames,
  block_on_rejected_reviews: Flag,
  block_on_official_review_requests: Flag,
  block_on_outdated_branch: Flag,
  dismiss_stale_approvals: Flag,
  ignore_stale_approvals: Flag,
  require_signed_commits: Flag,
  protected_file_patterns: Patterns,
  unprotected_file_patterns: Patterns,
  block_admin_merge_override: Flag,
}

const RuleName = t.Optional(t.String({ maxLength: 255, description: 'branch name, or a glob in which `*` does not match slashes and `**` does' }))
export const CreateBranchProtectionOption = t.Object(
  { rule_name: RuleName, branch_name: t.Optional(t.String({ maxLength: 255, description: 'Deprecated: rule_name' })), ...options },
  { $id: 'CreateBranchProtectionOption' },
)
export type CreateBranchProtectionOption = Static<typeof CreateBranchProtectionOption>
export const EditBranchProtectionOption = t.Object(options, { $id: 'EditBranchProtectionOption' })
export type EditBranchProtectionOption = Static<typeof EditBranchProtectionOption>

export const UpdateBranchProtectionPriories = t.Object(
  { ids: t.Optional(t.Array(Int(), { maxItems: 1000, description: 'IDs of the rules, highest priority first' })) },
  { $id: 'UpdateBranchProtectionPriories' },
)
