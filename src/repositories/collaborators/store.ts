import { type Level, listSeenAccounts, type UserRow, type Viewer } from '#access/index.ts'
import type { Condition } from '#kernel/database/condition.ts'
import type { Db, LongDb, Tx } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** By age of their accounts. @param known which rows of `user` are listed */
export function listCollaborators(db: LongDb, viewer: Viewer, repoId: number, known: Condition, page: Page): Promise<{ rows: UserRow[]; total: number }> {
  return listSeenAccounts(db, viewer, { table: 'collaborator', of: 'collaborator.user_id', where: 'repo_id = ?', values: [repoId], known }, page)
}

/** The same with what each was given. */
export function listCollaborations(
  db: Db,
  repoId: number,
  known: Condition,
  { limit, offset }: Pick<Page, 'limit' | 'offset'>,
): { name: string; level: Level }[] {
  const sql = `SELECT user.name, level FROM collaborator JOIN user ON user.id = collaborator.user_id WHERE repo_id = ? AND ${known.sql} ORDER BY user.id LIMIT ? OFFSET ?`
  return db.all(sql, repoId, ...known.values, limit, offset)
}

/** Whether a collaborator whom `known` lets through has this name. */
export function isCollaborator(db: Db, repoId: number, known: Condition, name: string): boolean {
  const sql = `SELECT 1 FROM collaborator JOIN user ON user.id = collaborator.user_id WHERE repo_id = ? AND ${known.sql} AND lower_name = ?`
  return db.find(sql, repoId, ...known.values, name.toLowerCase()) !== undefined
}

export function setCollaboration(tx: Tx, repoId: number, userId: number, level: Exclude<Level, 'none' | 'owner'>): void {
  tx.run(
    `INSERT INTO collaboration (repo_id, user_id, level, given_after) VALUES (?, ?, ?, (SELECT ifnull(max(id), 0) FROM ended_collaboration))
     ON CONFLICT (repo_id, user_id) DO UPDATE SET level = excluded.level, given_after = excluded.given_after`,
    repoId,
    userId,
    level,
  )
}

export function removeCollaboration(tx: Tx, repoId: number, userId: number): void {
  tx.run('DELETE FROM collaboration WHERE repo_id = ? AND user_id = ?', repoId, userId)
}
