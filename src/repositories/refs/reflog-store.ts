import { type Oid, SHA1 } from '#git/objects/oid.ts'
import { type Acting, joinActing, readActing } from '#kernel/acting.ts'
import type { Db } from '#kernel/db.ts'
import type { ReflogRow } from './store.ts'

/** `by` is the name of who moved the ref; null when they are gone, and for what the server did by itself. */
export type ReflogEntry = Omit<ReflogRow, 'repo_id' | 'name' | 'actor_id' | 'acting'> & { by: string | null }

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

/** The most updates of a ref that are read. For a ref with more, it is unknown who pushed to it. */
const MOST_MOVES = 1000

/** Returns all accounts that updated a ref since its creation, with the limits of their tokens; undefined when one of them is unknown. */
export function findActing(db: Db, repoId: number, { name, oid }: { name: string; oid: Oid }): Acting[] | undefined {
  const sql = 'SELECT old_oid, new_oid, acting FROM reflog WHERE repo_id = ? AND name = ? ORDER BY id DESC LIMIT ?'
  const moves = db.all<Pick<ReflogRow, 'old_oid' | 'new_oid' | 'acting'>>(sql, repoId, name, MOST_MOVES)
  const created = moves.findIndex(({ old_oid }) => old_oid === SHA1.zero)
  if (created < 0 || moves[0]?.new_oid !== oid) return undefined
  return moves.slice(0, created + 1).reduce((found: Acting[] | undefined, { acting }) => joinActing(found, readActing(acting)), [])
}

export function findReflogEntry(db: Db, repoId: number, name: string, id: number): ReflogEntry | undefined {
  return db.find<ReflogEntry>(`SELECT ${COLUMNS} FROM reflog WHERE repo_id = ? AND name = ? AND id = ?`, repoId, name, id)
}
