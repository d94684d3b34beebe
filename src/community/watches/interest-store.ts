import { condition } from '#kernel/database/condition.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** Watches, as the room of repositories uses them without knowing them: in searches, for who creates a repository, and when one is hidden. */
export const watching = {
  /** @param repoId the column that is compared */
  of: (userId: number, repoId = 'r.id') => condition(`${repoId} IN (SELECT repo_id FROM watch WHERE user_id = ? AND mode <> 'ignored')`, userId),
  ofFew: (userId: number) => condition("EXISTS (SELECT 1 FROM watch WHERE user_id = ? AND repo_id = r.id AND mode <> 'ignored')", userId),
  has: (db: Db, userId: number, repoId: number) =>
    db.find("SELECT 1 FROM watch WHERE user_id = ? AND repo_id = ? AND mode <> 'ignored'", userId, repoId) !== undefined,
  /** A watch that is there already keeps its date. */
  begin(tx: Tx, userId: number, repoId: number, now: number): void {
    tx.run(
      `INSERT INTO watch (user_id, repo_id, created_at) VALUES (?, ?, ?) ON CONFLICT (user_id, repo_id)
       DO UPDATE SET mode = 'normal', created_at = iif(mode = 'ignored', excluded.created_at, created_at)`,
      userId,
      repoId,
      now,
    )
  },
}
