import { knownFellows, listSeenAccounts, type UserRow, type Viewer, visibleAccounts } from '#access/index.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

export function findMember(db: Db, orgId: number, userId: number): { is_owner: number; is_public: number } | undefined {
  return db.find('SELECT is_owner, is_public FROM org_member WHERE org_id = ? AND user_id = ?', orgId, userId)
}

/** Members by name. For `insiders` all of them, unless their token is for public things only; others see public memberships, of accounts they may see. */
export function listMembers(db: LongDb, orgId: number, viewer: Viewer, audience: 'insiders' | 'all', page: Page): Promise<{ rows: UserRow[]; total: number }> {
  const [known, shown] = audience === 'insiders' ? [knownFellows(viewer), ''] : [visibleAccounts(viewer), 'AND m.is_public = 1']
  const names = { table: 'org_member AS m', of: 'm.user_id', where: `m.org_id = ? ${shown}`, values: [orgId], known, order: 'user.lower_name' }
  return listSeenAccounts(db, viewer, names, page)
}

export interface Membership {
  user_id: number
  is_owner: number
  is_public: number
}

/** What these people are in an organization, by id; those who are not in it are absent. */
export function membershipsOf(db: Db, orgId: number, userIds: readonly number[]): Map<number, Membership> {
  const sql = 'SELECT user_id, is_owner, is_public FROM org_member WHERE org_id = ? AND user_id IN (SELECT value FROM json_each(?))'
  return new Map(db.all<Membership>(sql, orgId, JSON.stringify(userIds)).map((row) => [row.user_id, row]))
}

export function setMembershipPublic(tx: Tx, orgId: number, userId: number, isPublic: boolean): void {
  tx.run('UPDATE org_membership SET is_public = ? WHERE org_id = ? AND user_id = ?', Number(isPublic), orgId, userId)
}

/** Ends the membership, and takes the person out of all teams. In this order no team that they leave has to ask which ones are left. */
export function removeMember(tx: Tx, orgId: number, userId: number): void {
  tx.run('DELETE FROM org_membership WHERE org_id = ? AND user_id = ?', orgId, userId)
  tx.run('DELETE FROM team_membership WHERE org_id = ? AND user_id = ?', orgId, userId)
}

/** The person is in no team any more, and so in no organization. */
export function leaveOrgs(tx: Tx, userId: number): void {
  tx.run('DELETE FROM org_membership WHERE user_id = ?', userId)
  tx.run('DELETE FROM team_membership WHERE user_id = ?', userId)
}

export function countOwners(db: Db, orgId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM org_member WHERE org_id = ? AND is_owner = 1', orgId)?.n ?? 0
}

/** The permissions of all the person's teams in the organization. */
export function listTeamPermissions(db: Db, orgId: number, userId: number): string[] {
  return db
    .all<{ permission: string }>(
      'SELECT DISTINCT permission FROM team_member JOIN team ON team.id = team_member.team_id WHERE user_id = ? AND team_member.org_id = ?',
      userId,
      orgId,
    )
    .map(({ permission }) => permission)
}
