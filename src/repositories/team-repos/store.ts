import type { TeamRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

export function isTeamRepo(db: Db, team: TeamRow, repoId: number): boolean {
  return team.includes_all_repositories === 1 || db.find('SELECT 1 FROM team_repo WHERE team_id = ? AND repo_id = ?', team.id, repoId) !== undefined
}

/** @returns whether it is new to the team */
export function addRepo(tx: Tx, teamId: number, repoId: number): boolean {
  return tx.run('INSERT OR IGNORE INTO team_repo (team_id, repo_id) VALUES (?, ?)', teamId, repoId) > 0
}

/** The ids of those who were here first. */
export function listFirstMembers(db: Db, teamId: number, limit: number): number[] {
  const sql = 'SELECT user_id FROM team_membership WHERE team_id = ? ORDER BY user_id LIMIT ?'
  return db.all<{ user_id: number }>(sql, teamId, limit).map(({ user_id }) => user_id)
}

export function removeRepo(tx: Tx, teamId: number, repoId: number): void {
  tx.run('DELETE FROM team_repo WHERE team_id = ? AND repo_id = ?', teamId, repoId)
}
