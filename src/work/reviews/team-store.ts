import { reachedByTeam } from '#access/index.ts'
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
