import type { Db, Tx } from '#kernel/db.ts'

/** By name. */
export function listFlags(db: Db, repoId: number): string[] {
  return db.all<{ name: string }>('SELECT name FROM repository_flag WHERE repo_id = ? ORDER BY name', repoId).map(({ name }) => name)
}

export function hasFlag(db: Db, repoId: number, name: string): boolean {
  return db.find('SELECT 1 FROM repository_flag WHERE repo_id = ? AND name = ?', repoId, name) !== undefined
}

export function countFlags(db: Db, repoId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM repository_flag WHERE repo_id = ?', repoId)?.n ?? 0
}

/** What it has already stays as it is. */
export function putFlag(tx: Tx, repoId: number, name: string): void {
  tx.run('INSERT INTO repository_flag (repo_id, name) VALUES (?, ?) ON CONFLICT DO NOTHING', repoId, name)
}

export function removeFlag(tx: Tx, repoId: number, name: string): void {
  tx.run('DELETE FROM repository_flag WHERE repo_id = ? AND name = ?', repoId, name)
}

export function removeFlags(tx: Tx, repoId: number): void {
  tx.run('DELETE FROM repository_flag WHERE repo_id = ?', repoId)
}
