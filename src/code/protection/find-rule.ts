import type { Db } from '#kernel/db.ts'
import { globMatcher, isGlob } from '#kernel/glob.ts'
import { type BranchRule, listRules } from './store.ts'

/** The rule that holds for a branch, which need not be there; undefined when none does. */
export function ruleFor(db: Db, repoId: number, branch: string): BranchRule | undefined {
  return ruleAmong(listRules(db, repoId), branch)
}

/** The same, for who knows the rules of its repository. */
export function ruleAmong(rules: readonly BranchRule[], branch: string): BranchRule | undefined {
  return sortRules(rules).find((rule) => matchesBranch(rule, branch))
}

/** In the order in which they are asked: by priority, exact names before globs, the oldest first. */
export function sortRules(rules: readonly BranchRule[]): BranchRule[] {
  return rules.toSorted(
    (a, b) => a.priority - b.priority || Number(isGlob(a.rule_name)) - Number(isGlob(b.rule_name)) || a.created_at - b.created_at || a.id - b.id,
  )
}

/** Exact names match whatever the letters' case; of globs `*` and `?` stop at slashes. */
function matchesBranch({ rule_name: name }: Pick<BranchRule, 'rule_name'>, branch: string): boolean {
  return isGlob(name) ? globMatcher(name, '/')(branch) : name.toLowerCase() === branch.toLowerCase()
}

export function contextsOf({ status_check_contexts: json }: Pick<BranchRule, 'status_check_contexts'>): string[] {
  return JSON.parse(json) as string[]
}

/** Whether one of the patterns matches a path, whatever the letters' case. */
export function filesMatcher(patterns: string): (path: string) => boolean {
  const matchers = patternsOf(patterns).map((pattern) => globMatcher(pattern, './'))
  return (path) => matchers.some((matches) => matches(path.trim().toLowerCase()))
}

/** Globs over paths in lower case, with `.` and `/` for separators. */
export function patternsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(';')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
}
