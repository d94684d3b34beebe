import type { Level, Unit, Visibility } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

type Stretch = Pick<Page, 'limit' | 'offset'>

/** A team for which a repository is. */
export interface TeamAccess {
  name: string
  permission: Level
  visibility: Visibility
  members: number
  /** Empty for those whose permission holds for all. */
  units: Partial<Record<Unit, Level>>
}

/** Teams, the strongest first. */
export function listTeamsWith(db: Db, orgId: number, repoId: number, { limit, offset }: Stretch): TeamAccess[] {
  const rows = db.all<Omit<TeamAccess, 'units'> & { units: string }>(
    `SELECT name, permission, visibility, (SELECT count(*) FROM team_member WHERE team_id = team.id) AS members,
       (SELECT json_group_object(unit, level) FROM team_unit WHERE team_id = team.id) AS units
     FROM team WHERE org_id = ? AND (includes_all_repositories = 1 OR EXISTS (SELECT 1 FROM team_repo WHERE team_repo.team_id = team.id AND repo_id = ?))
     ORDER BY permission = 'owner' DESC, permission = 'admin' DESC, lower_name LIMIT ? OFFSET ?`,
    orgId,
    repoId,
    limit,
    offset,
  )
  return rows.map((row) => ({ ...row, units: JSON.parse(row.units) }))
}

/** Names of those of them that a person is in. */
export function listTeamsOf(db: Db, userId: number, orgId: number, repoId: number): string[] {
  const rows = db.all<{ name: string }>(
    `SELECT name FROM team JOIN team_member ON team_member.team_id = team.id AND user_id = ?
     WHERE team.org_id = ? AND (includes_all_repositories = 1 OR EXISTS (SELECT 1 FROM team_repo WHERE team_repo.team_id = team.id AND repo_id = ?))
     ORDER BY lower_name LIMIT 100`,
    userId,
    orgId,
    repoId,
  )
  return rows.map(({ name }) => name)
}

/** What opens a repository and is no person. */
export interface Credential {
  /** A key of the repository itself, or a token of somebody's that is limited to it. */
  kind: 'key' | 'token'
  /** The key's title, or whose the token is. */
  name: string
  /** The token's scopes, or for a key whether it only reads: `read` or `write`. */
  scopes: string
}

export function listCredentials(db: Db, repoId: number, { limit, offset }: Stretch): Credential[] {
  return db.all(
    `SELECT 'key' AS kind, title AS name, iif(is_read_only, 'read', 'write') AS scopes, id FROM deploy_key WHERE repo_id = ?1
     UNION ALL
     SELECT 'token', user.name, access_token.scopes, token_id FROM access_token_repository JOIN access_token ON access_token.id = token_id
     JOIN user ON user.id = access_token.user_id WHERE repo_id = ?1 AND is_limited = 1
     ORDER BY kind, id LIMIT ?2 OFFSET ?3`,
    repoId,
    limit,
    offset,
  )
}

export function countSiteAdmins(db: Db): number {
  return db.find<{ n: number }>("SELECT count(*) AS n FROM user WHERE is_admin = 1 AND +kind = 'person'")?.n ?? 0
}
