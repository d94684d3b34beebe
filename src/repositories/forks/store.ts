import { accessStore, lineOf, type RepoRow, readableBy, type Viewer, visibleTo } from '#access/index.ts'
import { question } from '#kernel/database/questions.ts'
import type { Db, LongDb } from '#kernel/db.ts'
import type { Page } from '#kernel/page.ts'

/** The fork of a repository that an account has already. */
export function findForkOf(db: Db, repoId: number, ownerId: number): RepoRow | undefined {
  return listForksOwnedBy(db, repoId, [ownerId])[0]
}

/** Those that some accounts have already. */
export function listForksOwnedBy(db: Db, repoId: number, ownerIds: readonly number[]): RepoRow[] {
  const sql = 'SELECT * FROM repository WHERE fork_of = ? AND owner_id IN (SELECT value FROM json_each(?)) ORDER BY id'
  return db.all<RepoRow>(sql, repoId, JSON.stringify(ownerIds))
}

/** Forks of a repository that the viewer sees, the oldest first. */
export async function listForks(db: LongDb, viewer: Viewer, repoId: number, page: Page): Promise<{ rows: RepoRow[]; total: number }> {
  const { sql, values } = visibleTo(viewer)
  const from = `FROM repository AS r WHERE r.fork_of = ? AND ${sql}`
  const counted = question<{ n: number }>(`SELECT count(*) AS n ${from}`, repoId, ...values)
  const inOrder = question<{ id: number }>(`SELECT r.id ${from} ORDER BY r.id LIMIT ? OFFSET ?`, repoId, ...values, page.limit, page.offset)
  const found = await db.askAside({ counted, ids: inOrder }, lineOf(viewer))
  const ids = found.ids.map(({ id }) => id)
  return { rows: accessStore.listReposById(db, ids), total: found.counted[0]?.n ?? 0 }
}

/** A repository, what it was forked from, and so on: with the repository's id as the first value. */
const LINE = 'line (id) AS (SELECT ?1 UNION SELECT r.fork_of FROM repository AS r JOIN line ON r.id = line.id WHERE r.fork_of IS NOT NULL)'

/** The id of what a repository was forked from in the end; its own when it is no fork. */
export function findRoot(db: Db, repoId: number): number | undefined {
  const sql = `WITH RECURSIVE ${LINE} SELECT r.id FROM line JOIN repository AS r ON r.id = line.id WHERE r.fork_of IS NULL`
  return db.find<{ id: number }>(sql, repoId)?.id
}

/** An account's repository among the forks of a repository, those that it was forked from and their forks, in this order. */
export function findRelative(db: Db, { id, fork_of: parent }: Pick<RepoRow, 'id' | 'fork_of'>, ownerId: number): RepoRow | undefined {
  return db.find<RepoRow>(
    `WITH RECURSIVE ${LINE} SELECT * FROM repository WHERE owner_id = ?2 AND (id IN line OR fork_of IN line)
     ORDER BY fork_of = ?1 DESC, id = ?3 DESC, id LIMIT 1`,
    id,
    ownerId,
    parent,
  )
}

/** A repository of the same family, and where its branches are. */
export interface Relative {
  id: number
  owner: string
  name: string
  default_branch: string
}

/** So many repositories of a family are looked at. */
const MOST_LOOKED_AT = 500

/** Other repositories that were forked from one another, of which the viewer may read the code, the oldest first. */
export function listRelatives(db: Db, viewer: Viewer, repoId: number, limit: number): Relative[] {
  const { sql, values } = readableBy(viewer, 'code')
  return db.all<Relative>(
    `WITH RECURSIVE ${LINE}, family (id) AS (
       SELECT r.id FROM line JOIN repository AS r ON r.id = line.id WHERE r.fork_of IS NULL
       UNION SELECT r.id FROM repository AS r JOIN family ON r.fork_of = family.id LIMIT ${MOST_LOOKED_AT})
     SELECT r.id, u.name AS owner, r.name, r.default_branch FROM repository AS r JOIN user AS u ON u.id = r.owner_id
     WHERE r.id IN family AND r.id <> ?1 AND r.is_empty = 0 AND ${sql} ORDER BY r.id LIMIT ?`,
    repoId,
    ...values,
    limit,
  )
}
