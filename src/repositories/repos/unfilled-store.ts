import type { Db, Tx } from '#kernel/db.ts'

/** Notes of repositories that are only to stay when their first content comes. */

export function insertUnfilled(tx: Tx, repoId: number, actorId: number): void {
  tx.run('INSERT INTO unfilled_repository (id, actor_id) VALUES (?, ?)', repoId, actorId)
}

export function deleteUnfilled(tx: Tx, repoId: number): void {
  tx.run('DELETE FROM unfilled_repository WHERE id = ?', repoId)
}

export function findUnfilled(db: Db, repoId: number): { actor_id: number } | undefined {
  return db.find('SELECT actor_id FROM unfilled_repository WHERE id = ?', repoId)
}

export function listUnfilled(db: Db): { id: number; actor_id: number }[] {
  return db.all('SELECT id, actor_id FROM unfilled_repository')
}

export function hasUnfilled(db: Db): boolean {
  return db.find('SELECT 1 FROM unfilled_repository LIMIT 1') !== undefined
}
