import { rfc3339 } from '#kernel/clock.ts'
import type { Db } from '#kernel/db.ts'
import { isGlob } from '#kernel/glob.ts'
import { contextsOf } from './find-rule.ts'
import type { BranchProtection } from './schema.ts'
import { type BranchRule, listAllowed } from './store.ts'

export function presentRule(db: Db, row: BranchRule): BranchProtection {
  const { users, teams } = listAllowed(db, row.id)
  return {
    branch_name: isGlob(row.rule_name) ? '' : row.rule_name,
    rule_name: row.rule_name,
    priority: row.priority,
    enable_push: row.enable_push === 1,
    enable_push_whitelist: row.enable_push_whitelist === 1,
    push_whitelist_usernames: users.push,
    push_whitelist_teams: teams.push,
    push_whitelist_deploy_keys: row.push_whitelist_deploy_keys === 1,
    enable_force_push: row.enable_force_push === 1,
    enable_force_push_allowlist: row.enable_force_push_allowlist === 1,
    force_push_allowlist_usernames: users.force_push,
    force_push_allowlist_teams: teams.force_push,
    force_push_allowlist_deploy_keys: row.force_push_allowlist_deploy_keys === 1,
    enable_merge_whitelist: row.enable_merge_whitelist === 1,
    merge_whitelist_usernames: users.merge,
    merge_whitelist_teams: teams.merge,
    enable_bypass_allowlist: row.enable_bypass_allowlist === 1,
    bypass_allowlist_usernames: users.bypass,
    bypass_allowlist_teams: teams.bypass,
    enable_status_check: row.enable_status_check === 1,
    status_check_contexts: contextsOf(row),
    required_approvals: row.required_approvals,
    enable_approvals_whitelist: row.enable_approvals_whitelist === 1,
    approvals_whitelist_username: users.approvals,
    approvals_whitelist_teams: teams.approvals,
    block_on_rejected_reviews: row.block_on_rejected_reviews === 1,
    block_on_official_review_requests: row.block_on_official_review_requests === 1,
    block_on_outdated_branch: row.block_on_outdated_branch === 1,
    dismiss_stale_approvals: row.dismiss_stale_approvals === 1,
    ignore_stale_approvals: row.ignore_stale_approvals === 1,
    require_signed_commits: row.require_signed_commits === 1,
    protected_file_patterns: row.protected_file_patterns,
    unprotected_file_patterns: row.unprotected_file_patterns,
    block_admin_merge_override: row.block_admin_merge_override === 1,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
  }
}
