import { type Static, t } from 'elysia'
import { Int, oneOf } from '#kernel/schema.ts'
import type { BranchProtection, CreateBranchProtectionOption } from './schema.ts'
import { EditBranchProtectionOption } from './schema.ts'

/** Who may do something: nobody, who may write, or of those only some. */
const among = ['nobody', 'writers', 'listed'] as const
const some = ['writers', 'listed'] as const

const lists = [
  'push_whitelist_usernames',
  'push_whitelist_teams',
  'force_push_allowlist_usernames',
  'force_push_allowlist_teams',
  'merge_whitelist_usernames',
  'merge_whitelist_teams',
  'approvals_whitelist_username',
  'approvals_whitelist_teams',
  'bypass_allowlist_usernames',
  'bypass_allowlist_teams',
] as const

const boxes = [
  'push_whitelist_deploy_keys',
  'force_push_allowlist_deploy_keys',
  'enable_status_check',
  'block_on_rejected_reviews',
  'block_on_official_review_requests',
  'block_on_outdated_branch',
  'dismiss_stale_approvals',
  'ignore_stale_approvals',
  'require_signed_commits',
  'block_admin_merge_override',
] as const

/** A rule as people fill it in: switches that hang together are one choice, and boxes that are not ticked are absent. */
export const RuleForm = t.Object({
  rule_name: t.String({ maxLength: 255 }),
  pushing: oneOf(among),
  force_pushing: oneOf(among),
  merging: oneOf(some),
  approving: oneOf(some),
  bypassing: oneOf(['nobody', 'listed']),
  required_approvals: Int({ minimum: 0, maximum: 1_000_000_000 }),
  /** Globs, a line each: they may have commas. */
  checks: t.Optional(t.String({ maxLength: 52_000 })),
  ...t.Pick(EditBranchProtectionOption, [...lists, ...boxes, 'protected_file_patterns', 'unprotected_file_patterns']).properties,
})
export type RuleForm = Static<typeof RuleForm>
export type RuleList = (typeof lists)[number]
export type RuleBox = (typeof boxes)[number]

export const emptyRule: RuleForm = {
  rule_name: '',
  pushing: 'nobody',
  force_pushing: 'nobody',
  merging: 'writers',
  approving: 'writers',
  bypassing: 'nobody',
  required_approvals: 0,
}

/** A rule as its form shows it. */
export function formOfRule(rule: BranchProtection): RuleForm {
  return {
    ...rule,
    pushing: rule.enable_push ? choice(rule.enable_push_whitelist) : 'nobody',
    force_pushing: rule.enable_force_push ? choice(rule.enable_force_push_allowlist) : 'nobody',
    merging: choice(rule.enable_merge_whitelist),
    approving: choice(rule.enable_approvals_whitelist),
    bypassing: rule.enable_bypass_allowlist ? 'listed' : 'nobody',
    checks: rule.status_check_contexts.join('\n'),
  }
}

/** What a form asks for, all of it: what was emptied is none. */
export function optionsIn(form: RuleForm): CreateBranchProtectionOption {
  return {
    rule_name: form.rule_name.trim(),
    enable_push: form.pushing !== 'nobody',
    enable_push_whitelist: form.pushing === 'listed',
    enable_force_push: form.force_pushing !== 'nobody',
    enable_force_push_allowlist: form.force_pushing === 'listed',
    enable_merge_whitelist: form.merging === 'listed',
    enable_approvals_whitelist: form.approving === 'listed',
    enable_bypass_allowlist: form.bypassing === 'listed',
    required_approvals: form.required_approvals,
    status_check_contexts: linesOf(form.checks),
    protected_file_patterns: form.protected_file_patterns ?? '',
    unprotected_file_patterns: form.unprotected_file_patterns ?? '',
    ...Object.fromEntries(boxes.map((name) => [name, form[name] === true])),
    ...Object.fromEntries(lists.map((name) => [name, form[name] ?? []])),
  }
}

function choice(isListed: boolean): 'writers' | 'listed' {
  return isListed ? 'listed' : 'writers'
}

function linesOf(text = ''): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
