import type { Db } from '#kernel/db.ts'

/** Ids of the people in an organization's team of this name, in lower case. */
export function listTeamPeople(db: Db, orgId: number, lowerName: string): number[] {
  const sql = 'SELECT user_id FROM team_member JOIN team ON team.id = team_member.team_id WHERE team.org_id = ? AND team.lower_name = ? LIMIT 500'
  return db.all<{ user_id: number }>(sql, orgId, lowerName).map(({ user_id }) => user_id)
}
