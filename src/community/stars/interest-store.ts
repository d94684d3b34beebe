import { condition } from '#kernel/database/condition.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** Stars, as the room of repositories uses them without knowing them: in searches, and when a repository is hidden. */
export const starring = {
  of: (userId: number) => condition('r.id IN (SELECT repo_id FROM star WHERE user_id = ?)', userId),
  ofFew: (userId: number) => condition('EXISTS (SELECT 1 FROM star WHERE user_id = ? AND repo_id = r.id)', userId),
  has: (db: Db, userId: number, repoId: number) => db.find('SELECT 1 FROM star WHERE user_id = ? AND repo_id = ?', userId, repoId) !== undefined,
  /** A star that is there already keeps its date; it is given anew where it was about to end. */
  begin(tx: Tx, userId: number, repoId: number, now: number): void {
    const again = 'ON CONFLICT (user_id, repo_id) DO UPDATE SET created_at = created_at'
    tx.run(`INSERT INTO star (user_id, repo_id, created_at) VALUES (?, ?, ?) ${again}`, userId, repoId, now)
  },
}
