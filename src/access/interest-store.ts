import type { Db } from '#kernel/db.ts'
import type { RepoInterest } from './interest.ts'

/** What all kinds of interest have in common. @param table whose rows are of a user and a repository; its name is code, never input */
export function interestIn(table: 'star' | 'watch'): Pick<RepoInterest, 'listHolders' | 'listHeld' | 'drop' | 'dropOf'> {
  const next = (own: string, other: string) => `SELECT ${other} AS id FROM ${table} WHERE ${own} = ? AND ${other} > ? ORDER BY ${other} LIMIT ?`
  const list = (sql: string) => (db: Db, id: number, after: number, limit: number) => db.all<{ id: number }>(sql, id, after, limit).map((row) => row.id)
  const isOwners = 'EXISTS (SELECT 1 FROM repository WHERE id = repo_id AND owner_id = ?)'
  return {
    listHolders: list(next('repo_id', 'user_id')),
    listHeld: list(next('user_id', 'repo_id')),
    drop(tx, userId, repoId) {
      tx.run(`DELETE FROM ${table} WHERE user_id = ? AND repo_id = ?`, userId, repoId)
    },
    dropOf(tx, userId, ownerId, { after, until, before }) {
      const sql = `DELETE FROM ${table} WHERE user_id = ? AND repo_id > ? AND repo_id <= ? AND begun_after < ? AND ${isOwners}`
      tx.run(sql, userId, after, until, before, ownerId)
    },
  }
}
