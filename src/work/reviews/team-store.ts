import { canSeeOrg, orgAccess, type RepoAccess, reachedByTeam, type TeamRow, teamsKnownTo, type Viewer } from '#access/index.ts'
import { nothingAsked, type Question } from '#kernel/database/questions.ts'
import type { Db } from '#kernel/db.ts'

/** Whether a team that does not administer has at least this level of a unit. */
export function holdsUnit(db: Db, teamId: number, unit: 'code' | 'pulls', level: 'read' | 'write'): boolean {
  const levels = level === 'read' ? "('read', 'write')" : "('write')"
  return db.find(`SELECT 1 FROM team_unit WHERE team_id = ? AND unit = ? AND level IN ${levels}`, teamId, unit) !== undefined
}

/** Whether a repository is one of those that a team has. */
export function isReached(db: Db, teamId: number, repoId: number): boolean {
  const { sql, values } = reachedByTeam(teamId)
  return db.find(`SELECT 1 FROM repository AS r WHERE r.id = ? AND ${sql}`, repoId, ...values) !== undefined
}

/** The teams of the repository's organization that can read its pull requests, as far as the viewer may know of them; by name. */
export function askableTeamsQuestion(db: Db, viewer: Viewer, { row, owner }: RepoAccess, limit: number): Question<TeamRow> {
  if (owner.kind !== 'organization' || !canSeeOrg(db, viewer, owner)) return nothingAsked
  const { role } = orgAccess(db, viewer, owner)
  const sql = `SELECT * FROM team WHERE org_id = ?
    AND (includes_all_repositories = 1 OR id IN (SELECT team_id FROM team_repo WHERE repo_id = ?))
    AND (permission IN ('admin', 'owner') OR EXISTS (SELECT 1 FROM team_unit WHERE team_id = team.id AND unit = 'pulls' AND level IN ('read', 'write')))
    AND (? OR visibility IN (SELECT value FROM json_each(?)) OR id IN (SELECT team_id FROM team_member WHERE user_id = ?))
    ORDER BY lower_name LIMIT ?`
  const known = [Number(role === 'owner'), JSON.stringify(teamsKnownTo(role)), viewer.user?.id ?? 0]
  return { sql, values: [owner.id, row.id, ...known, limit] }
}
