import type { UserRow } from '#access/index.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'

/** Ids of the people in an organization's team of this name, in lower case. */
export function listTeamPeople(db: Db, orgId: number, lowerName: string): number[] {
  const sql = 'SELECT user_id FROM team_member JOIN team ON team.id = team_member.team_id WHERE team.org_id = ? AND team.lower_name = ? LIMIT 500'
  return db.all<{ user_id: number }>(sql, orgId, lowerName).map(({ user_id }) => user_id)
}

/** What authors are sought by. */
export interface SoughtAuthors {
  repoId: number
  isPull: boolean
  text: string
  most: number
}

/** Who opened issues or pull requests of a repository and whose name begins with a text; by name. */
export async function listAuthors(db: LongDb, line: string, { repoId, isPull, text, most }: SoughtAuthors): Promise<UserRow[]> {
  const opened = 'SELECT 1 FROM issue WHERE poster_id = user.id AND repo_id = ? AND is_closed IN (0, 1) AND is_pull = ?'
  const sql = `SELECT * FROM user WHERE lower_name >= ? AND lower_name < ? AND EXISTS (${opened}) ORDER BY lower_name LIMIT ?`
  const authors = question<UserRow>(sql, text.toLowerCase(), `${text.toLowerCase()}\u{10ffff}`, repoId, Number(isPull), most)
  return (await db.askAside({ authors }, line)).authors
}
