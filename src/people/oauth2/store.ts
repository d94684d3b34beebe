import type { UserRow } from '#access/index.ts'
import type { Db, Row, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export interface ApplicationRow {
  id: number
  owner_id: number | null
  name: string
  client_id: string
  secret_digest: string
  is_confidential: number
  skips_consent: number
  redirect_uris: string
  created_at: number
  updated_at: number
}

export interface GrantRow {
  id: number
  application_id: number
  user_id: number
  scope: string
  created_at: number
  last_used_at: number | null
}

export function findApplicationByClientId(db: Db, clientId: string): ApplicationRow | undefined {
  return db.lookUp<ApplicationRow>('SELECT * FROM oauth2_application WHERE client_id = ?', clientId)
}

/** Whose applications: a person's, an organization's, or without an id the site's. */
export interface ApplicationOwner {
  id: number | null
}

/** One of the owner's own. */
export function findApplication(db: Db, owner: ApplicationOwner, id: number): ApplicationRow | undefined {
  return db.find<ApplicationRow>('SELECT * FROM oauth2_application WHERE owner_id IS ? AND id = ?', owner.id, id)
}

export function listApplications(db: Db, owner: ApplicationOwner, page: Page): { rows: ApplicationRow[]; total: number } {
  return {
    rows: db.all<ApplicationRow>('SELECT * FROM oauth2_application WHERE owner_id IS ? ORDER BY id LIMIT ? OFFSET ?', owner.id, page.limit, page.offset),
    total: db.find<{ n: number }>('SELECT count(*) AS n FROM oauth2_application WHERE owner_id IS ?', owner.id)?.n ?? 0,
  }
}

export function insertApplication(tx: Tx, row: Omit<ApplicationRow, 'id'>): number {
  return tx.insert('oauth2_application', { ...row })
}

export function updateApplication(tx: Tx, id: number, changes: Row): void {
  tx.update('oauth2_application', id, changes)
}

export function findGrant(db: Db, applicationId: number, userId: number): GrantRow | undefined {
  return db.find<GrantRow>('SELECT * FROM oauth2_grant WHERE application_id = ? AND user_id = ?', applicationId, userId)
}

/** A grant of somebody's, and to whom it is. */
export interface GivenGrant extends GrantRow {
  application: string
  client_id: string
  owner_id: number | null
}

/** Those that the account has given, newest first. */
export function listGrants(db: Db, userId: number, page: Page): { rows: GivenGrant[]; total: number } {
  const from = 'FROM oauth2_grant JOIN oauth2_application AS application ON application.id = application_id WHERE user_id = ?'
  const sql = `SELECT oauth2_grant.*, application.name AS application, client_id, owner_id ${from} ORDER BY oauth2_grant.id DESC LIMIT ? OFFSET ?`
  return {
    rows: db.all<GivenGrant>(sql, userId, page.limit, page.offset),
    total: db.find<{ n: number }>(`SELECT count(*) AS n ${from}`, userId)?.n ?? 0,
  }
}

/** @returns the grant's id; there is one for each account and application */
export function putGrant(tx: Tx, applicationId: number, userId: number, scope: string, now: number): number {
  const row = tx.find<{ id: number }>(
    `INSERT INTO oauth2_grant (application_id, user_id, scope, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (application_id, user_id) DO UPDATE SET scope = excluded.scope RETURNING id`,
    applicationId,
    userId,
    scope,
    now,
  )
  if (!row) throw new Error('Cannot store the grant')
  return row.id
}

/** @returns whether the account had given such a grant */
export function deleteGrant(tx: Tx, userId: number, id: number): boolean {
  return tx.run('DELETE FROM oauth2_grant WHERE user_id = ? AND id = ?', userId, id) > 0
}

export function touchGrant(tx: Tx, id: number, now: number): void {
  tx.run('UPDATE oauth2_grant SET last_used_at = ? WHERE id = ?', now, id)
}

/** The organizations that the account is in, and its teams there, as `<org>` and `<org>:<team>`. @param onlyPublic leave out organizations that not everybody sees */
export function listGroups(db: Db, user: Pick<UserRow, 'id'>, onlyPublic: boolean): string[] {
  const shown = onlyPublic ? "AND org.visibility = 'public'" : ''
  const rows = db.all<{ name: string }>(
    `SELECT org.name AS name, 0 AS rank, org.lower_name AS sorted FROM org_member JOIN user AS org ON org.id = org_id WHERE user_id = ?1 ${shown}
     UNION ALL
     SELECT org.name || ':' || team.lower_name, 1, org.lower_name || ':' || team.lower_name
     FROM team_member JOIN team ON team.id = team_id JOIN user AS org ON org.id = team.org_id WHERE user_id = ?1 ${shown}
     ORDER BY sorted, rank`,
    user.id,
  )
  return rows.map(({ name }) => name)
}
