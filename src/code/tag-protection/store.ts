import type { Db, Tx } from '#kernel/db.ts'

export interface TagProtectionRow {
  id: number
  repo_id: number
  name_pattern: string
  created_at: number
  updated_at: number
}

export function listTagProtections(db: Db, repoId: number): TagProtectionRow[] {
  return db.all<TagProtectionRow>('SELECT * FROM tag_protection WHERE repo_id = ? ORDER BY id', repoId)
}

export function findTagProtection(db: Db, repoId: number, id: number): TagProtectionRow | undefined {
  return db.find<TagProtectionRow>('SELECT * FROM tag_protection WHERE repo_id = ? AND id = ?', repoId, id)
}

export function findTagProtectionByPattern(db: Db, repoId: number, pattern: string): TagProtectionRow | undefined {
  return db.find<TagProtectionRow>('SELECT * FROM tag_protection WHERE repo_id = ? AND name_pattern = ?', repoId, pattern)
}

/** Whether somebody is on the list of a protection, or in a team that is. */
export function isListed(db: Db, id: number, userId: number): boolean {
  return (
    db.find(
      `SELECT 1 FROM tag_protection_user WHERE protection_id = ?1 AND user_id = ?2
       UNION ALL SELECT 1 FROM tag_protection_team CROSS JOIN team_member USING (team_id) WHERE protection_id = ?1 AND user_id = ?2 LIMIT 1`,
      id,
      userId,
    ) !== undefined
  )
}

/** Names of those on the list. */
export function listAllowed(db: Db, id: number): { users: string[]; teams: string[] } {
  const names = (sql: string) => db.all<{ name: string }>(sql, id).map(({ name }) => name)
  return {
    users: names('SELECT name FROM user JOIN tag_protection_user ON user_id = id WHERE protection_id = ? ORDER BY lower_name'),
    teams: names('SELECT name FROM team JOIN tag_protection_team ON team_id = id WHERE protection_id = ? ORDER BY lower_name'),
  }
}

export function insertTagProtection(tx: Tx, row: Omit<TagProtectionRow, 'id'>): number {
  return tx.insert('tag_protection', { ...row })
}

export function updateTagProtection(tx: Tx, id: number, change: Pick<TagProtectionRow, 'name_pattern' | 'updated_at'>): void {
  tx.update('tag_protection', id, { ...change })
}

export function replaceUsers(tx: Tx, id: number, userIds: readonly number[]): void {
  tx.run('DELETE FROM tag_protection_user WHERE protection_id = ?', id)
  for (const userId of userIds) tx.run('INSERT INTO tag_protection_user (protection_id, user_id) VALUES (?, ?)', id, userId)
}

export function replaceTeams(tx: Tx, id: number, teamIds: readonly number[]): void {
  tx.run('DELETE FROM tag_protection_team WHERE protection_id = ?', id)
  for (const teamId of teamIds) tx.run('INSERT INTO tag_protection_team (protection_id, team_id) VALUES (?, ?)', id, teamId)
}

export function removeTagProtection(tx: Tx, id: number): void {
  tx.run('DELETE FROM tag_protection WHERE id = ?', id)
}
