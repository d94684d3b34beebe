import type { Db } from '#kernel/db.ts'
import { type AllowList, type BranchRule, isListed } from './store.ts'

/** Who wants to do something to a branch, with what they may do to its repository's code now. */
export interface Actor {
  id: number
  canWrite: boolean
  isAdmin: boolean
  /** They come with a deploy key. */
  byDeployKey?: boolean
}

/** Whether a rule lets somebody push: whom its list names, or, without one, everybody who may write. */
export function mayPush(db: Db, rule: BranchRule, actor: Actor): boolean {
  if (rule.enable_push === 0) return false
  if (rule.enable_push_whitelist === 0) return actor.canWrite
  return actor.byDeployKey ? rule.push_whitelist_deploy_keys === 1 : isOn(db, rule, 'push', actor)
}

/** Whoever forces a push needs the right to push, too. */
export function mayForcePush(db: Db, rule: BranchRule, actor: Actor): boolean {
  if (rule.enable_force_push === 0 || !mayPush(db, rule, actor)) return false
  if (rule.enable_force_push_allowlist === 0) return true
  return actor.byDeployKey ? rule.force_push_allowlist_deploy_keys === 1 : isOn(db, rule, 'force_push', actor)
}

/** Whether somebody may merge into a branch, as far as its rule is about people; without a rule, everybody who may write. */
export function mayMerge(db: Db, rule: BranchRule | undefined, actor: Actor): boolean {
  if (rule === undefined || rule.enable_merge_whitelist === 0) return actor.canWrite
  return isOn(db, rule, 'merge', actor)
}

/** Whether somebody may merge although checks, reviews or files forbid it, when they say that they want to. */
export function mayBypass(db: Db, rule: BranchRule, actor: Actor): boolean {
  if (rule.block_admin_merge_override === 0 && actor.isAdmin) return true
  return rule.enable_bypass_allowlist === 1 && isOn(db, rule, 'bypass', actor)
}

/** Who is on a list and may not write any more may do nothing. */
function isOn(db: Db, rule: BranchRule, list: AllowList, actor: Actor): boolean {
  return actor.canWrite && isListed(db, rule.id, list, actor.id)
}
