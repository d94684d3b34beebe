import { atLeast, type RepoAccess, type Viewer } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { contextsOf } from './find-rule.ts'
import { type Actor, mayMerge, mayPush } from './permits.ts'
import { RuleBook } from './rule-book.ts'
import { type BranchRule, listRules } from './store.ts'

/** What the rules of a repository make of a branch, as its record says it. */
export interface BranchTerms {
  protected: boolean
  required_approvals: number
  enable_status_check: boolean
  status_check_contexts: string[]
  user_can_push: boolean
  user_can_merge: boolean
  /** The name of the rule, for those who administer the repository; else empty. */
  effective_branch_protection_name: string
}

/** Tells of branches, by their names, what `viewer` may do to them. */
export function describeBranches(db: Db, viewer: Viewer, { row, permission }: RepoAccess): (branch: string) => BranchTerms {
  const book = new RuleBook(listRules(db, row.id))
  const isOpen = row.archived_at === null && row.is_mirror === 0
  const isAdmin = atLeast(permission.level, 'admin')
  const actor: Actor | undefined = viewer.user && { id: viewer.user.id, canWrite: isOpen && atLeast(permission.of('code'), 'write'), isAdmin }
  const permits = new Map<BranchRule | undefined, Pick<BranchTerms, 'user_can_push' | 'user_can_merge'>>()
  const permitsOf = (rule: BranchRule | undefined) => ({
    user_can_push: actor !== undefined && (rule ? mayPush(db, rule, actor) : actor.canWrite),
    user_can_merge: actor !== undefined && mayMerge(db, rule, actor),
  })
  return (branch) => {
    const rule = book.of(branch)
    const permitted = permits.get(rule) ?? permitsOf(rule)
    permits.set(rule, permitted)
    return {
      protected: rule !== undefined,
      required_approvals: rule?.required_approvals ?? 0,
      enable_status_check: rule?.enable_status_check === 1,
      status_check_contexts: rule ? contextsOf(rule) : [],
      ...permitted,
      effective_branch_protection_name: rule && isAdmin ? rule.rule_name : '',
    }
  }
}
