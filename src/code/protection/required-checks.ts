import { combineStates, listNewest, type StatusRow } from '#code/statuses/index.ts'
import type { Db } from '#kernel/db.ts'
import { globMatcher } from '#kernel/glob.ts'
import type { Page } from '#kernel/page.ts'
import { contextsOf } from './find-rule.ts'
import type { BranchRule } from './store.ts'

const ALL: Page = { page: 1, limit: -1, offset: 0 }

/** The patterns of a rule that none of a commit's checks fits yet. */
export function missingChecks(rule: BranchRule, known: readonly Pick<StatusRow, 'context'>[]): string[] {
  if (rule.enable_status_check === 0) return []
  return contextsOf(rule).filter((pattern) => {
    const matches = globMatcher(pattern)
    return !known.some(({ context }) => matches(context))
  })
}

/**
 * Whether the checks of a commit are as a rule wants them: for each of its patterns there are some whose newest status is a success, and none whose
 * is not; without patterns that holds for all checks. Nothing said is no success. Without checks in the rule, whatever they are will do.
 * @param known its newest statuses, for who has them
 */
export function checksPass(db: Db, rule: BranchRule, oid: string, known?: readonly Pick<StatusRow, 'state' | 'context'>[]): boolean {
  if (rule.enable_status_check === 0) return true
  const statuses = known ?? listNewest(db, rule.repo_id, oid, ALL)
  const patterns = contextsOf(rule)
  if (patterns.length === 0) return combineStates(statuses.map(({ state }) => state)) === 'success'
  return patterns.every((pattern) => {
    const matches = globMatcher(pattern)
    return combineStates(statuses.filter(({ context }) => matches(context)).map(({ state }) => state)) === 'success'
  })
}
