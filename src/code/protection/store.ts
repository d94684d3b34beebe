import type { Question } from '#kernel/database/questions.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** A rule about branches. Those of its columns that are switches are 0 or 1. */
export interface BranchRule {
  id: number
  repo_id: number
  /** A branch, or a glob over branches. */
  rule_name: string
  /** The lower, the earlier it is asked. */
  priority: number
  enable_push: number
  enable_push_whitelist: number
  push_whitelist_deploy_keys: number
  enable_force_push: number
  enable_force_push_allowlist: number
  force_push_allowlist_deploy_keys: number
  enable_merge_whitelist: number
  enable_bypass_allowlist: number
  enable_status_check: number
  /** A JSON array of globs; read with `contextsOf`. */
  status_check_contexts: string
  required_approvals: number
  enable_approvals_whitelist: number
  block_on_rejected_reviews: number
  block_on_official_review_requests: number
  block_on_outdated_branch: number
  dismiss_stale_approvals: number
  ignore_stale_approvals: number
  require_signed_commits: number
  /** Globs over paths, between semicolons. */
  protected_file_patterns: string
  unprotected_file_patterns: string
  block_admin_merge_override: number
  created_at: number
  updated_at: number
}

/** Whom a rule names, for what. */
export type AllowList = 'push' | 'force_push' | 'merge' | 'approvals' | 'bypass'

/** In the order of their making. */
export function rulesQuestion(repoId: number): Question<BranchRule> {
  return { sql: 'SELECT * FROM branch_protection WHERE repo_id = ? ORDER BY id', values: [repoId] }
}

export function listRules(db: Db, repoId: number): BranchRule[] {
  const { sql, values } = rulesQuestion(repoId)
  return db.all<BranchRule>(sql, ...values)
}

/** As the rule is written, letters' case too. */
export function findRuleByName(db: Db, repoId: number, name: string): BranchRule | undefined {
  return db.find<BranchRule>('SELECT * FROM branch_protection WHERE repo_id = ? AND rule_name = ?', repoId, name)
}

/** Whether somebody is on a list of a rule, or in a team that is. */
export function isListed(db: Db, ruleId: number, list: AllowList, userId: number): boolean {
  return (
    db.lookUp(
      `SELECT 1 FROM branch_protection_user WHERE protection_id = ?1 AND list = ?2 AND user_id = ?3
       UNION ALL SELECT 1 FROM branch_protection_team CROSS JOIN team_member USING (team_id) WHERE protection_id = ?1 AND list = ?2 AND user_id = ?3 LIMIT 1`,
      ruleId,
      list,
      userId,
    ) !== undefined
  )
}

/** Whether a team is on a list of a rule. */
export function isTeamListed(db: Db, ruleId: number, list: AllowList, teamId: number): boolean {
  const sql = 'SELECT 1 FROM branch_protection_team WHERE protection_id = ? AND list = ? AND team_id = ?'
  return db.find(sql, ruleId, list, teamId) !== undefined
}

/** Names of those on the lists of a rule. */
export function listAllowed(db: Db, ruleId: number): { users: Record<AllowList, string[]>; teams: Record<AllowList, string[]> } {
  const names = (sql: string) => {
    const rows = db.all<{ list: AllowList; name: string }>(sql, ruleId)
    const of = (list: AllowList) => rows.filter((row) => row.list === list).map(({ name }) => name)
    return { push: of('push'), force_push: of('force_push'), merge: of('merge'), approvals: of('approvals'), bypass: of('bypass') }
  }
  return {
    users: names('SELECT list, name FROM branch_protection_user JOIN user ON user.id = user_id WHERE protection_id = ? ORDER BY lower_name'),
    teams: names('SELECT list, name FROM branch_protection_team JOIN team ON team.id = team_id WHERE protection_id = ? ORDER BY lower_name'),
  }
}

/** Without a priority it comes behind all others. */
export function insertRule(tx: Tx, row: Omit<BranchRule, 'id'>): number {
  const last = tx.find<{ n: number | null }>('SELECT max(priority) AS n FROM branch_protection WHERE repo_id = ?', row.repo_id)
  return tx.insert('branch_protection', { ...row, priority: row.priority || (last?.n ?? 0) + 1 })
}

export function updateRule(tx: Tx, id: number, change: Partial<Omit<BranchRule, 'id' | 'repo_id'>>): void {
  tx.update('branch_protection', id, { ...change })
}

export function removeRule(tx: Tx, id: number): void {
  tx.run('DELETE FROM branch_protection WHERE id = ?', id)
}

export function setPriority(tx: Tx, repoId: number, id: number, priority: number): void {
  tx.run('UPDATE branch_protection SET priority = ? WHERE id = ? AND repo_id = ?', priority, id, repoId)
}

export function replaceUsers(tx: Tx, ruleId: number, list: AllowList, userIds: readonly number[]): void {
  tx.run('DELETE FROM branch_protection_user WHERE protection_id = ? AND list = ?', ruleId, list)
  for (const id of userIds) tx.run('INSERT OR IGNORE INTO branch_protection_user (protection_id, list, user_id) VALUES (?, ?, ?)', ruleId, list, id)
}

export function replaceTeams(tx: Tx, ruleId: number, list: AllowList, teamIds: readonly number[]): void {
  tx.run('DELETE FROM branch_protection_team WHERE protection_id = ? AND list = ?', ruleId, list)
  for (const id of teamIds) tx.run('INSERT OR IGNORE INTO branch_protection_team (protection_id, list, team_id) VALUES (?, ?, ?)', ruleId, list, id)
}

/** Gives a repository the rules of another; the lists are not of the same people, and stay behind. */
export function copyRules(tx: Tx, fromId: number, toId: number, at: number): void {
  for (const { id: _, ...rule } of listRules(tx, fromId)) {
    tx.insert('branch_protection', { ...rule, repo_id: toId, created_at: at, updated_at: at })
  }
}

/** Whether a team reaches a repository. */
export function reachesRepo(db: Db, teamId: number, repoId: number): boolean {
  return (
    db.find(
      `SELECT 1 FROM team WHERE id = ?1
         AND (includes_all_repositories = 1 OR EXISTS (SELECT 1 FROM team_repo WHERE team_id = ?1 AND repo_id = ?2))`,
      teamId,
      repoId,
    ) !== undefined
  )
}
