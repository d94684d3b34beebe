import type { Db, Tx } from '#kernel/db.ts'

/** What ended for very many at once: in one repository for its owner and their members, or for one person in all repositories of an owner. */
export interface EndedRow {
  id: number
  owner_id: number
  repo_id: number | null
  user_id: number | null
  looked_to: number
}

export function insertEnded(tx: Tx, row: { owner_id: number } & ({ repo_id: number } | { user_id: number })): void {
  tx.insert('ended_collaboration', { ...row })
}

export function findFirstEnded(db: Db): EndedRow | undefined {
  return db.find<EndedRow>('SELECT * FROM ended_collaboration ORDER BY id LIMIT 1')
}

/**
 * Clears what has ended of the next rows that it may be about.
 * @returns how many were looked at
 */
export function clearEnded(tx: Tx, { id, repo_id, user_id, looked_to }: EndedRow, limit: number): number {
  const [own, other] = repo_id === null ? ['user_id', 'repo_id'] : ['repo_id', 'user_id']
  const next = `SELECT ${other} FROM collaboration WHERE ${own} = ? AND ${other} > ? ORDER BY ${other} LIMIT ?`
  const found = tx.find<{ last: number | null; n: number }>(`SELECT max(${other}) AS last, count(*) AS n FROM (${next})`, repo_id ?? user_id, looked_to, limit)
  const last = found?.last ?? looked_to
  const counts = 'SELECT 1 FROM collaborator AS c WHERE c.repo_id = collaboration.repo_id AND c.user_id = collaboration.user_id'
  tx.run(`DELETE FROM collaboration WHERE ${own} = ? AND ${other} > ? AND ${other} <= ? AND NOT EXISTS (${counts})`, repo_id ?? user_id, looked_to, last)
  tx.update('ended_collaboration', id, { looked_to: last })
  return found?.n ?? 0
}

export function deleteEnded(tx: Tx, id: number): void {
  tx.run('DELETE FROM ended_collaboration WHERE id = ?', id)
}
