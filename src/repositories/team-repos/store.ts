import type { TeamRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

export function isTeamRepo(db: Db, team: TeamRow, repoId: number): boolean {
  return team.includes_all_repositories === 1 || db.find('SELECT 1 FROM team_repo WHERE team_id = ? AND repo_id = ?', team.id, repoId) !== undefined
}

/** @returns whether it is new to the team */
export function addRepo(tx: Tx, teamId: number, repoId: number): boolean {
  return tx.run('INSERT OR IGNORE INTO team_repo (team_id, repo_id) VALUES (?, ?)', teamId, repoId) > 0
}

export function removeRepo(tx: Tx, teamId: number, repoId: number): void {
  tx.run('DELETE FROM team_repo WHERE team_id = ? AND repo_id = ?', teamId, repoId)
}
