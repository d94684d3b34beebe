import { atLeast, type RepoAccess, type UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
import { weightOf } from '#kernel/glob.ts'
import { filesMatcher, patternsOf, ruleFor } from './find-rule.ts'
import { mayPush } from './permits.ts'
import type { BranchRule } from './store.ts'

/** Characters of paths times the weight of the patterns that they are compared with here, where everybody waits: some milliseconds. */
const MAX_EFFORT = 100_000

/**
 * Refuses early, in Gitea's words, what the rule of a branch will not let be committed to it through the API; whether it still does not is judged
 * when the commit lands. The server signs nothing, so there is no commit for a branch that takes signed ones alone.
 * @param paths all files that change; undefined where that is not known yet. Those that take long to compare with the rule are left to the landing
 * @throws Forbidden
 */
export function refuseEdits(db: Db, { row, permission }: RepoAccess, user: UserRow, branch: string, paths: readonly string[] | undefined): void {
  const rule = ruleFor(db, row.id, branch)
  if (!rule) return
  const canWrite = atLeast(permission.of('code'), 'write')
  const canPush = mayPush(db, rule, { id: user.id, canWrite, isAdmin: atLeast(permission.level, 'admin') })
  const known = paths && isQuick(rule, paths) ? paths : undefined
  const isFree = filesMatcher(rule.unprotected_file_patterns)
  const isProtected = filesMatcher(rule.protected_file_patterns)
  const mayNot = known === undefined ? rule.unprotected_file_patterns === '' : known.some((path) => !isFree(path))
  if (rule.require_signed_commits === 1 || (!canPush && mayNot)) throw new Forbidden(`user cannot commit to repo [user: ${user.lower_name}]`)
  const path = known?.find(isProtected)
  if (path !== undefined) throw new Forbidden(`path is protected and can not be changed [path: ${path}]`)
}

function isQuick({ unprotected_file_patterns: free, protected_file_patterns: forbidden }: BranchRule, paths: readonly string[]): boolean {
  const characters = paths.reduce((sum, path) => sum + path.length, 0)
  return characters * weightOf([...patternsOf(free), ...patternsOf(forbidden)]) <= MAX_EFFORT
}
