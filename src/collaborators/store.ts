import type { Level, RepoRow, UserRow } from '../access/index.ts'
import type { Db, Tx } from '../kernel/db.ts'
import type { Page } from '../kernel/page.ts'

export function listCollaborators(db: Db, repoId: number, { limit, offset }: Page): UserRow[] {
  return db.all<UserRow>(
    'SELECT user.* FROM collaboration JOIN user ON user.id = collaboration.user_id WHERE repo_id = ? ORDER BY user.id LIMIT ? OFFSET ?',
    repoId,
    limit,
    offset,
  )
}

export function countCollaborators(db: Db, repoId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM collaboration WHERE repo_id = ?', repoId)?.n ?? 0
}

/** The repositories of an owner in which the person is a collaborator. */
export function listCollaboratedRepos(db: Db, userId: number, ownerId: number): RepoRow[] {
  return db.all<RepoRow>(
    'SELECT repository.* FROM collaboration JOIN repository ON repository.id = repo_id WHERE user_id = ? AND owner_id = ?',
    userId,
    ownerId,
  )
}

export function setCollaboration(tx: Tx, repoId: number, userId: number, level: Exclude<Level, 'none' | 'owner'>): void {
  tx.run(
    'INSERT INTO collaboration (repo_id, user_id, level) VALUES (?, ?, ?) ON CONFLICT (repo_id, user_id) DO UPDATE SET level = excluded.level',
    repoId,
    userId,
    level,
  )
}

export function removeCollaboration(tx: Tx, repoId: number, userId: number): void {
  tx.run('DELETE FROM collaboration WHERE repo_id = ? AND user_id = ?', repoId, userId)
}

/** Everyone to whom a repository may have been opened by name: its owner, collaborators, and members of the organization it belongs to. */
export function listInsiders(db: Db, repoId: number, ownerId: number): UserRow[] {
  return db.all<UserRow>(
    `SELECT * FROM user WHERE kind = 'person' AND is_active = 1 AND (id = ?1
       OR id IN (SELECT user_id FROM collaboration WHERE repo_id = ?2) OR id IN (SELECT user_id FROM org_member WHERE org_id = ?1))
     ORDER BY lower_name`,
    ownerId,
    repoId,
  )
}
