import type { Db } from '#kernel/db.ts'
import type { ReflogRow } from './store.ts'

/** `by` is the name of who moved the ref; null when they are gone, and for what the server did by itself. */
export type ReflogEntry = Omit<ReflogRow, 'repo_id' | 'name' | 'actor_id'> & { by: string | null }

const COLUMNS = 'id, old_oid, new_oid, message, created_at, (SELECT user.name FROM user WHERE user.id = actor_id) AS by'

/** Where a ref has pointed, the latest move first. @param before the id of an entry; those that are older are listed */
export function listReflog(
  db: Db,
  repoId: number,
  name: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: { before?: number; limit: number },
): ReflogEntry[] {
  return db.all<ReflogEntry>(`SELECT ${COLUMNS} FROM reflog WHERE repo_id = ? AND name = ? AND id < ? ORDER BY id DESC LIMIT ?`, repoId, name, before, limit)
}

/** Returns whether one account made all updates of a ref; false when no updates are known. */
export function hasMovedAlone(db: Db, repoId: number, name: string, userId: number): boolean {
  return (
    db.find<{ is_alone: number | null }>('SELECT min(actor_id IS ?) AS is_alone FROM reflog WHERE repo_id = ? AND name = ?', userId, repoId, name)?.is_alone ===
    1
  )
}

export function findReflogEntry(db: Db, repoId: number, name: string, id: number): ReflogEntry | undefined {
  return db.find<ReflogEntry>(`SELECT ${COLUMNS} FROM reflog WHERE repo_id = ? AND name = ? AND id = ?`, repoId, name, id)
}
