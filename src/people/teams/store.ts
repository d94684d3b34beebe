import { knownFellows, lineOf, listSeenAccounts, reachedByTeam, type TeamRow, type UserRow, type Viewer, type Visibility } from '#access/index.ts'
import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Tx, Value } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { TeamGrant, TeamUnit } from './units.ts'

/** Which teams a list shows; every member narrows it down. */
export interface TeamFilter {
  orgId?: number
  /** Teams that this person is in. */
  memberId?: number
  /** Teams that this person is in, and those of these visibilities. */
  knownTo?: { userId: number; visibilities: readonly Visibility[] }
  /** Leaves out organizations that are not public. */
  publicOnly?: boolean
  keyword?: string
  inDescription?: boolean
  /** Teams that reach this repository, through `orgId`. */
  repoId?: number
}

export function listTeams(db: LongDb, viewer: Viewer, filter: TeamFilter, page: Page): Promise<{ rows: TeamRow[]; total: number }> {
  const { sql, values } = where(filter)
  return pageAside(db, lineOf(viewer), { columns: '*', from: `FROM team WHERE ${sql}`, order: 'lower_name, id', values }, page)
}

function where(filter: TeamFilter): { sql: string; values: Value[] } {
  const parts = ['TRUE']
  const values: Value[] = []
  const add = (sql: string, ...more: Value[]) => {
    parts.push(sql)
    values.push(...more)
  }
  if (filter.orgId !== undefined) add('org_id = ?', filter.orgId)
  const mine = 'id IN (SELECT team_id FROM team_member WHERE user_id = ?)'
  if (filter.memberId !== undefined) add(mine, filter.memberId)
  if (filter.knownTo) add(`(${mine} OR visibility IN (SELECT value FROM json_each(?)))`, filter.knownTo.userId, JSON.stringify(filter.knownTo.visibilities))
  if (filter.publicOnly) add("org_id IN (SELECT id FROM user WHERE visibility = 'public')")
  if (filter.repoId !== undefined) add('(includes_all_repositories = 1 OR id IN (SELECT team_id FROM team_repo WHERE repo_id = ?))', filter.repoId)
  const keyword = filter.keyword?.toLowerCase() ?? ''
  if (keyword !== '' && filter.inDescription) add('(instr(lower_name, ?) > 0 OR instr(lower(description), ?) > 0)', keyword, keyword)
  else if (keyword !== '') add('instr(lower_name, ?) > 0', keyword)
  return { sql: parts.join(' AND '), values }
}

/** The units of several teams, by team. */
export function unitsOfTeams(db: Db, teamIds: readonly number[]): Map<number, Map<TeamUnit, 'read' | 'write'>> {
  const units = new Map(teamIds.map((id) => [id, new Map<TeamUnit, 'read' | 'write'>()]))
  const sql = 'SELECT team_id, unit, level FROM team_unit WHERE team_id IN (SELECT value FROM json_each(?))'
  const rows = db.all<{ team_id: number; unit: TeamUnit; level: 'read' | 'write' }>(sql, JSON.stringify(teamIds))
  for (const { team_id, unit, level } of rows) units.get(team_id)?.set(unit, level)
  return units
}

export function unitsOfTeam(db: Db, id: number): TeamGrant['units'] {
  return unitsOfTeams(db, [id]).get(id) ?? new Map()
}

export function insertTeam(tx: Tx, row: Omit<TeamRow, 'id'>): number {
  return tx.insert('team', { ...row })
}

export function updateTeam(tx: Tx, id: number, change: Partial<Omit<TeamRow, 'id' | 'org_id'>>): void {
  tx.update('team', id, { ...change })
}

export function setUnits(tx: Tx, teamId: number, units: TeamGrant['units']): void {
  tx.run('DELETE FROM team_unit WHERE team_id = ?', teamId)
  for (const [unit, level] of units) tx.run('INSERT INTO team_unit (team_id, unit, level) VALUES (?, ?, ?)', teamId, unit, level)
}

/** For those in the organization. */
export function listTeamMembers(db: LongDb, viewer: Viewer, teamId: number, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  const names = { table: 'team_member AS m', of: 'm.user_id', where: 'm.team_id = ?', values: [teamId] }
  return listSeenAccounts(db, viewer, { ...names, known: knownFellows(viewer), order: 'user.lower_name' }, page)
}

/** Ids of repositories that a team reaches, the newest first. */
export function listReposReached(db: Db, teamId: number, limit: number): number[] {
  const { sql, values } = reachedByTeam(teamId)
  return db.all<{ id: number }>(`SELECT r.id FROM repository AS r WHERE ${sql} ORDER BY r.id DESC LIMIT ?`, ...values, limit).map(({ id }) => id)
}

export function addMember(tx: Tx, team: TeamRow, userId: number): void {
  tx.run('INSERT OR IGNORE INTO team_membership (team_id, org_id, user_id) VALUES (?, ?, ?)', team.id, team.org_id, userId)
}

/** @returns whether they were in the team */
export function removeMember(tx: Tx, teamId: number, userId: number): boolean {
  return tx.run('DELETE FROM team_membership WHERE team_id = ? AND user_id = ?', teamId, userId) > 0
}

/** A team that included all repositories keeps those there are, as in Gitea. */
export function keepAllRepos(tx: Tx, team: TeamRow): void {
  tx.run('INSERT OR IGNORE INTO team_repo (team_id, repo_id) SELECT ?, id FROM repository WHERE owner_id = ?', team.id, team.org_id)
}

/** The ids of those who were here first. */
export function listFirstMembers(db: Db, teamId: number, limit: number): number[] {
  const sql = 'SELECT user_id FROM team_membership WHERE team_id = ? ORDER BY user_id LIMIT ?'
  return db.all<{ user_id: number }>(sql, teamId, limit).map(({ user_id }) => user_id)
}
