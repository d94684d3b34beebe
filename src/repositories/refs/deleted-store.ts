import type { Oid } from '#git/objects/oid.ts'
import type { Db } from '#kernel/db.ts'
import type { ReflogRow } from './store.ts'

/** So many of a repository's last deletions are looked at, and keep their objects. */
const MOST_LOOKED_AT = 1000
/** As the index of them says it. */
const IS_DELETION = `new_oid = '0000000000000000000000000000000000000000' AND name >= 'refs/heads/' AND name < 'refs/heads0'`

/** A branch that was deleted; `id` is that of its entry in the reflog, `old_oid` where it pointed. */
export type DeletedBranch = Pick<ReflogRow, 'id' | 'name' | 'old_oid' | 'created_at'>

/**
 * Branches deleted after `since` (Unix seconds), and not renamed, whose names nobody has taken again, the latest first; `by` is the name of
 * who deleted it, null when they are gone.
 */
export function listDeletedBranches(db: Db, repoId: number, since: number, limit: number): (DeletedBranch & { by: string | null })[] {
  return db.all(
    `SELECT max(id) AS id, name, old_oid, created_at, (SELECT user.name FROM user WHERE user.id = actor_id) AS by
     FROM (SELECT * FROM reflog INDEXED BY reflog_deleted_branch WHERE repo_id = ?1 AND ${IS_DELETION} ORDER BY id DESC LIMIT ${MOST_LOOKED_AT}) AS gone
     WHERE created_at > ?2 AND message NOT LIKE 'branch: renamed %' AND NOT EXISTS (SELECT 1 FROM ref WHERE ref.repo_id = ?1 AND ref.name = gone.name)
     GROUP BY name ORDER BY id DESC LIMIT ?3`,
    repoId,
    since,
    limit,
  )
}

/** @param id of the entry in the reflog */
export function findDeletedBranch(db: Db, repoId: number, id: number): DeletedBranch | undefined {
  return db.find<DeletedBranch>(`SELECT id, name, old_oid, created_at FROM reflog WHERE id = ? AND repo_id = ? AND ${IS_DELETION}`, id, repoId)
}

/** Where branches pointed that were deleted after `since`, and when the last of those was. */
export function findDeletedTips(db: Db, repoId: number, since: number): Map<Oid, number> {
  const rows = db.all<{ oid: Oid; at: number }>(
    `SELECT old_oid AS oid, max(created_at) AS at
     FROM (SELECT * FROM reflog INDEXED BY reflog_deleted_branch WHERE repo_id = ? AND ${IS_DELETION} ORDER BY id DESC LIMIT ${MOST_LOOKED_AT})
     WHERE created_at > ? GROUP BY old_oid`,
    repoId,
    since,
  )
  return new Map(rows.map(({ oid, at }) => [oid, at]))
}
