import { pageAside } from '#kernel/database/long-list.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'
import type { Level } from './levels.ts'
import type { RepoRow, TeamRow, TokenRow, UserRow } from './rows.ts'

export function findUserById(db: Db, id: number): UserRow | undefined {
  return db.lookUp<UserRow>('SELECT * FROM user WHERE id = ?', id)
}

/** The accounts that are there, in the order of `ids`. */
export function listUsersById(db: Db, ids: readonly number[]): UserRow[] {
  return db.lookUpAll<UserRow>('SELECT * FROM user WHERE id', ids)
}

/**
 * As the columns of lower case have it. The Kelvin sign has a plain k for its lower case, and whoever is called so elsewhere is
 * nobody who is called k here: it stays what it is, which no name or address has.
 */
function lowered(text: string): string {
  return text.includes('\u212a') ? text : text.toLowerCase()
}

/** By name, in any case; people and organizations. */
export function findUserByName(db: Db, name: string): UserRow | undefined {
  return db.lookUp<UserRow>('SELECT * FROM user WHERE lower_name = ?', lowered(name))
}

/** By a verified address. */
export function findUserByEmail(db: Db, email: string): UserRow | undefined {
  return db.find<UserRow>(
    'SELECT user.* FROM email_address JOIN user ON user.id = email_address.user_id WHERE lower_email = ? AND is_verified = 1',
    lowered(email),
  )
}

/** Of several addresses in lower case those that are somebody's, verified, with whose. */
export function listUsersByEmail(db: Db, emails: readonly string[]): (UserRow & { lower_email: string })[] {
  return db.all<UserRow & { lower_email: string }>(
    `SELECT user.*, lower_email FROM email_address JOIN user ON user.id = email_address.user_id
     WHERE lower_email IN (SELECT value FROM json_each(?)) AND is_verified = 1`,
    JSON.stringify(emails.map(lowered)),
  )
}

/** The account that once had this name and has another now. */
export function findRenamedUser(db: Db, name: string): UserRow | undefined {
  return db.find<UserRow>(
    "SELECT user.* FROM reserved_name JOIN user ON user.id = reserved_name.user_id WHERE reserved_name.lower_name = ? AND reason = 'renamed'",
    lowered(name),
  )
}

export function findRepo(db: Db, ownerId: number, name: string): RepoRow | undefined {
  return db.lookUp<RepoRow>('SELECT * FROM repository WHERE owner_id = ? AND lower_name = ?', ownerId, name.toLowerCase())
}

export function findRepoById(db: Db, id: number): RepoRow | undefined {
  return db.lookUp<RepoRow>('SELECT * FROM repository WHERE id = ?', id)
}

/** Those that are there, in the order of `ids`. */
export function listReposById(db: Db, ids: readonly number[]): RepoRow[] {
  return db.lookUpAll<RepoRow>('SELECT * FROM repository WHERE id', ids)
}

export function ownsRepos(db: Db, ownerId: number): boolean {
  return db.find('SELECT 1 FROM repository WHERE owner_id = ? LIMIT 1', ownerId) !== undefined
}

export function listOwnedRepoIds(db: Db, ownerId: number): number[] {
  return db.all<{ id: number }>('SELECT id FROM repository WHERE owner_id = ? ORDER BY id', ownerId).map(({ id }) => id)
}

/** What the account is to the organization; undefined: nothing. */
export function findOrgRole(db: Db, orgId: number, userId: number): 'member' | 'owner' | undefined {
  const found = db.lookUp<{ is_owner: number }>('SELECT is_owner FROM org_member WHERE org_id = ? AND user_id = ?', orgId, userId)
  return found && (found.is_owner === 1 ? 'owner' : 'member')
}

export function findTeamById(db: Db, id: number): TeamRow | undefined {
  return db.find<TeamRow>('SELECT * FROM team WHERE id = ?', id)
}

export function findTeamByName(db: Db, orgId: number, name: string): TeamRow | undefined {
  return db.find<TeamRow>('SELECT * FROM team WHERE org_id = ? AND lower_name = ?', orgId, name.toLowerCase())
}

export function isTeamMember(db: Db, teamId: number, userId: number): boolean {
  return db.find('SELECT 1 FROM team_member WHERE team_id = ? AND user_id = ?', teamId, userId) !== undefined
}

/** Whether a team of the account may make repositories in the organization. */
export function isRepoCreator(db: Db, orgId: number, userId: number): boolean {
  const sql = 'SELECT 1 FROM team_member JOIN team ON team.id = team_member.team_id WHERE user_id = ? AND team_member.org_id = ? AND can_create_org_repo = 1'
  return db.find(sql, userId, orgId) !== undefined
}

/** Whether the account may take a repository that it, or an organization in which it makes repositories, is offered. */
export function isOffered(db: Db, userId: number, repoId: number): boolean {
  const offer = db.find<{ recipient_id: number }>('SELECT recipient_id FROM repository_transfer WHERE repo_id = ?', repoId)
  return offer !== undefined && (offer.recipient_id === userId || isRepoCreator(db, offer.recipient_id, userId))
}

/** What the account's teams together grant in a repository: a row a unit, and one without a unit for teams that name none. */
export interface TeamGrantRow {
  repo_id: number
  /** 1 when one of the teams administers the repository. */
  administers: number
  unit: string | null
  level: 'read' | 'write' | null
}

/**
 * In several repositories of organizations. Asked by the teams of each repository: those of the account may be thousands.
 * `max(level)` relies on `write` coming after `read` in the alphabet.
 */
export function listTeamGrants(db: Db, userId: number, repoIds: readonly number[]): TeamGrantRow[] {
  return db.all<TeamGrantRow>(
    `SELECT repo_id, max(permission IN ('admin', 'owner')) AS administers, unit, max(level) AS level FROM (
       SELECT r.id AS repo_id, team.id AS team_id, permission FROM repository AS r CROSS JOIN team ON team.org_id = r.owner_id AND includes_all_repositories = 1
       WHERE r.id IN (SELECT value FROM json_each(?2))
       UNION ALL SELECT r.id, team.id, permission FROM repository AS r CROSS JOIN team_repo ON team_repo.repo_id = r.id
         CROSS JOIN team ON team.id = team_repo.team_id AND team.org_id = r.owner_id
       WHERE r.id IN (SELECT value FROM json_each(?2))
     ) AS reached CROSS JOIN team_member ON team_member.team_id = reached.team_id AND team_member.user_id = ?1
       LEFT JOIN team_unit ON team_unit.team_id = reached.team_id
     GROUP BY repo_id, unit`,
    userId,
    JSON.stringify(repoIds),
  )
}

/** The repository that once stood under this name. */
export function findMovedRepo(db: Db, ownerId: number, name: string): RepoRow | undefined {
  return db.find<RepoRow>(
    'SELECT repository.* FROM repository_redirect AS old JOIN repository ON repository.id = old.repo_id WHERE old.owner_id = ? AND old.lower_name = ?',
    ownerId,
    name.toLowerCase(),
  )
}

export function findCollaboration(db: Db, repoId: number, userId: number): Level | undefined {
  return db.lookUp<{ level: Level }>('SELECT level FROM collaborator WHERE repo_id = ? AND user_id = ?', repoId, userId)?.level
}

/** The account a token speaks for, with what is asked of the token at each request. */
export interface TokenHolder extends UserRow {
  token_id: number
  scopes: string
  is_limited: number
  last_used_at: number | null
}

export function findTokenHolder(db: Db, digest: string): TokenHolder | undefined {
  return db.lookUp<TokenHolder>(
    `SELECT user.*, access_token.id AS token_id, access_token.scopes, access_token.is_limited, access_token.last_used_at
     FROM access_token JOIN user ON user.id = access_token.user_id WHERE digest = ?`,
    digest,
  )
}

export function findTokenById(db: Db, id: number): TokenRow | undefined {
  return db.find<TokenRow>('SELECT * FROM access_token WHERE id = ?', id)
}

export function findTokenByName(db: Db, userId: number, name: string): TokenRow | undefined {
  return db.find<TokenRow>('SELECT * FROM access_token WHERE user_id = ? AND name = ?', userId, name)
}

/** By id, or by name when that is no number or no token of this account has the id. */
export function findTokenByIdOrName(db: Db, userId: number, text: string): TokenRow | undefined {
  const byId = /^[1-9]\d{0,14}$/.test(text) ? db.find<TokenRow>('SELECT * FROM access_token WHERE user_id = ? AND id = ?', userId, Number(text)) : undefined
  return byId ?? findTokenByName(db, userId, text)
}

export function touchToken(tx: Tx, id: number, now: number): void {
  tx.run('UPDATE access_token SET last_used_at = ? WHERE id = ?', now, id)
}

export function listTokens(db: LongDb, line: string, userId: number, page: Page): Promise<{ rows: TokenRow[]; total: number }> {
  return pageAside(db, line, { columns: '*', from: 'FROM access_token WHERE user_id = ?', order: 'id', values: [userId] }, page)
}

export function insertToken(tx: Tx, row: Omit<TokenRow, 'id' | 'last_used_at'>): number {
  return tx.insert('access_token', { ...row })
}

export function insertTokenRepo(tx: Tx, tokenId: number, repoId: number): void {
  tx.run('INSERT INTO access_token_repository (token_id, repo_id) VALUES (?, ?)', tokenId, repoId)
}

export function deleteToken(tx: Tx, id: number): void {
  tx.run('DELETE FROM access_token WHERE id = ?', id)
}
