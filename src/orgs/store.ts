import type { UserRow } from '../access/index.ts'
import type { Db, Tx } from '../kernel/db.ts'

/** An organization: its row in `user`, with what it has besides. */
export interface OrgRow extends UserRow {
  kind: 'organization'
  repo_admin_change_team_access: number
}

export interface MemberRow {
  org_id: number
  user_id: number
  is_owner: number
  is_public: number
}

export function findOrgById(db: Db, id: number): OrgRow | undefined {
  return db.find<OrgRow>('SELECT user.*, organization.repo_admin_change_team_access FROM user JOIN organization USING (id) WHERE id = ?', id)
}

/** @param id of the organization's row in `user` */
export function insertOrg(tx: Tx, id: number, repoAdminChangeTeamAccess: boolean): void {
  tx.insert('organization', { id, repo_admin_change_team_access: Number(repoAdminChangeTeamAccess) })
}

export function insertMember(tx: Tx, row: MemberRow): void {
  tx.insert('org_member', { ...row })
}

/** Organizations that nobody else owns. */
export function listSolelyOwnedOrgs(db: Db, userId: number): UserRow[] {
  return db.all<UserRow>(
    `SELECT user.* FROM org_member AS mine JOIN user ON user.id = mine.org_id
     WHERE mine.user_id = ?1 AND mine.is_owner = 1
       AND NOT EXISTS (SELECT 1 FROM org_member AS other WHERE other.org_id = mine.org_id AND other.is_owner = 1 AND other.user_id <> ?1)
     ORDER BY user.id`,
    userId,
  )
}
