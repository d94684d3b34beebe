import type { RepoRow } from '#access/index.ts'
import { type Oid, SHA1 } from '#git/objects/oid.ts'
import type { RefLookup } from '#git/refs/names.ts'
import type { Question } from '#kernel/database/questions.ts'
import type { Db, Tx } from '#kernel/db.ts'
import { loseTips, markInexact } from './exactness-store.ts'
import type { RefText } from './ref-chunks.ts'

export interface RefRow {
  repo_id: number
  name: string
  oid: Oid
  /** What an annotated tag finally points to. */
  peeled: Oid | null
  /** Committer date in seconds of a ref that points to a commit; null for other refs, and where nobody has looked yet. */
  time: number | null
}

export interface RefState {
  repo_id: number
  version: number
  written_version: number
  is_exact: number
}

export interface ReflogRow {
  id: number
  repo_id: number
  name: string
  old_oid: Oid
  new_oid: Oid
  actor_id: number
  message: string
  created_at: number
  /** The accounts whose rights the messages of the new commits use in other repositories, as JSON; null when unknown. */
  acting: string | null
}

/** What is written in a batch that is not visible yet. */
const IS_PENDING = 'ref.batch IN (SELECT id FROM ref_batch)'
/**
 * Neither created by a pending batch nor deleted by one that is visible, and not what a deleted repository left. The repository must be
 * the statement's first value.
 */
export const VISIBLE = `(ref.batch IS NULL OR CASE WHEN ${IS_PENDING} THEN ref.next_oid IS NOT NULL ELSE ref.next_oid IS NOT '${SHA1.zero}' END)
  AND EXISTS (SELECT 1 FROM repository WHERE id = abs(?1))`
const COLUMNS = ['repo_id', 'name', ...['oid', 'peeled', 'time'].map(asItIs)].join(', ')
/** As the indexes of branches say it. */
export const IS_BRANCH = "name >= 'refs/heads/' AND name < 'refs/heads0'"

/** A column that a batch may have changed. */
function asItIs(column: string): string {
  return `CASE WHEN ref.next_oid IS NULL OR ${IS_PENDING} THEN ref.${column} ELSE ref.next_${column} END AS ${column}`
}

/** Made once: a text that is put together anew for each of a hundred thousand refs costs more than it asks for. */
const FIND = `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name = ? AND ${VISIBLE}`
const FIND_NAMED = `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name IN (SELECT value FROM json_each(?)) AND ${VISIBLE}`
const LIST_UNDER = `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name > ? AND name < ? AND ${VISIBLE} ORDER BY name LIMIT ?`

export function findRef(db: Db, repoId: number, name: string): RefRow | undefined {
  return db.find<RefRow>(FIND, repoId, name)
}

/** Several, in no order; those that are there. */
export function refsQuestion(repoId: number, names: readonly string[]): Question<RefRow> {
  return { sql: FIND_NAMED, values: [repoId, JSON.stringify(names)] }
}

export interface RefListing {
  /** Only names that start with this. */
  prefix?: string
  limit?: number
  offset?: number
}

/** Refs sorted by the bytes of their names. */
export function listRefs(db: Db, repoId: number, { prefix = '', limit = -1, offset = 0 }: RefListing = {}): RefRow[] {
  return db.all<RefRow>(
    `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name >= ? AND name < ? AND ${VISIBLE} ORDER BY name LIMIT ? OFFSET ?`,
    repoId,
    prefix,
    afterPrefix(prefix),
    limit,
    offset,
  )
}

/** The first refs with this prefix by name, as one text for other threads (`PushedRange`): a thousand rows take their time on the way there. */
export function listRefLines(db: Db, repoId: number, prefix: string, limit: number): string {
  const refs = `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name >= ? AND name < ? AND ${VISIBLE} ORDER BY name LIMIT ?`
  const sql = `SELECT group_concat(oid || ' ' || name, char(10)) AS lines FROM (${refs})`
  return db.find<{ lines: string | null }>(sql, repoId, prefix, afterPrefix(prefix), limit)?.lines ?? ''
}

const MIN_TIME = 0
const MAX_TIME = 2 ** 53

export interface BranchListing extends Pick<RefListing, 'limit' | 'offset'> {
  /** Only those whose last commit is of this second or later. */
  from?: number
  /** Only those whose last commit is older. */
  before?: number
}

/** Branches, the newest commit first and then by name; those whose date nobody has looked up yet come last. */
export function listBranches(db: Db, repoId: number, { limit = -1, offset = 0, from = MIN_TIME, before = MAX_TIME }: BranchListing = {}): RefRow[] {
  return db.all<RefRow>(
    `SELECT ref.repo_id, ref.name, ${['oid', 'peeled', 'time'].map(asItIs).join(', ')}
     FROM (SELECT name FROM ref INDEXED BY ref_branch_time WHERE repo_id = ?1 AND ${IS_BRANCH} AND ifnull(time >= ?4 AND time < ?5, ?5 = ${MAX_TIME})
       AND ${VISIBLE} ORDER BY time DESC, name LIMIT ?2 OFFSET ?3) AS page
     JOIN ref ON ref.repo_id = ?1 AND ref.name = page.name
     ORDER BY ref.time DESC, ref.name`,
    repoId,
    limit,
    offset,
    from,
    before,
  )
}

/** The next branches without a date behind one of them, of all repositories. */
export function listUntimed(db: Db, after: Pick<RefRow, 'repo_id' | 'name'>, limit: number): Pick<RefRow, 'repo_id' | 'name' | 'oid'>[] {
  return db.all(
    `SELECT repo_id, name, oid FROM ref WHERE time IS NULL AND ${IS_BRANCH} AND (repo_id, name) > (?, ?) ORDER BY repo_id, name LIMIT ?`,
    after.repo_id,
    after.name,
    limit,
  )
}

/** Notes a date, unless the ref has moved since it was looked up. */
export function setTime(tx: Tx, { repo_id: repoId, name, oid }: Pick<RefRow, 'repo_id' | 'name' | 'oid'>, time: number): void {
  tx.run('UPDATE ref SET time = ? WHERE repo_id = ? AND name = ? AND oid = ?', time, repoId, name, oid)
}

/** The next refs behind a name, sorted by the bytes of their names, as one text: as rows, a hundred thousand are a hundred thousand objects. */
export function refTextAfter(db: Db, repoId: number, name: string, limit: number): RefText {
  const lines = `SELECT name, ${['oid', 'peeled'].map(asItIs).join(', ')} FROM ref WHERE repo_id = ? AND name > ? AND ${VISIBLE} ORDER BY name LIMIT ?`
  const found = db.find<{ text: string | null; count: number; last: string | null }>(
    `SELECT group_concat(oid || ' ' || name || ifnull(' ' || peeled, '') || char(10), '') AS text, count(*) AS count, max(name) AS last FROM (${lines})`,
    repoId,
    name,
    limit,
  )
  return { text: found?.text ?? '', count: found?.count ?? 0, last: found?.last ?? '' }
}

/** The next refs behind a name that start with `prefix`. */
export function listRefsUnder(db: Db, repoId: number, prefix: string, after: string, limit: number): RefRow[] {
  return db.all<RefRow>(LIST_UNDER, repoId, after, afterPrefix(prefix), limit)
}

/** Those of the named refs that there are, sorted by the bytes of their names. */
export function listRefsNamed(db: Db, repoId: number, names: readonly string[]): RefRow[] {
  const sql = `SELECT ${COLUMNS} FROM ref WHERE repo_id = ? AND name IN (SELECT value FROM json_each(?)) AND ${VISIBLE} ORDER BY name`
  return db.all<RefRow>(sql, repoId, JSON.stringify(names))
}

/** A stretch of a repository's refs behind a name, as it is looked through. `pattern` is one of LIKE's, with `\\` before what it takes literally. */
export interface RefStretch {
  prefix: string
  after: string
  pattern: string
  length: number
}

/** The names in a stretch that are like its pattern, visible or not, and the stretch's last name; undefined at the end. */
export function scanNames(db: Db, repoId: number, { prefix, after, pattern, length }: RefStretch): { names: string[]; last: string | undefined } {
  const sql = `SELECT name, name LIKE ? ESCAPE '\\' AS fits FROM ref WHERE repo_id = ? AND name > ? AND name < ? ORDER BY name LIMIT ?`
  const found = db.find<{ names: string; last: string | null; count: number }>(
    `SELECT json_group_array(name) FILTER (WHERE fits) AS names, max(name) AS last, count(*) AS count FROM (${sql})`,
    pattern,
    repoId,
    after,
    afterPrefix(prefix),
    length,
  )
  return { names: JSON.parse(found?.names ?? '[]') as string[], last: found?.count === length ? (found.last ?? undefined) : undefined }
}

/** Whether there is any that is neither a branch nor a tag; costs the same however many there are. */
export function hasOtherRefs(db: Db, repoId: number): boolean {
  const between = [
    ['', 'refs/heads/'],
    ['refs/heads0', 'refs/tags/'],
    ['refs/tags0', afterPrefix('')],
  ] as const
  const sql = `SELECT 1 FROM ref WHERE repo_id = ? AND name >= ? AND name < ? AND ${VISIBLE} LIMIT 1`
  return between.some(([from, to]) => db.find(sql, repoId, from, to) !== undefined)
}

export function hasRefs(db: Db, repoId: number): boolean {
  return db.find(`SELECT 1 FROM ref WHERE repo_id = ? AND ${VISIBLE} LIMIT 1`, repoId) !== undefined
}

/** Existing names as the rules of ref names ask for them. */
export function refLookup(db: Db, repoId: number): RefLookup {
  return {
    has: (name) => findRef(db, repoId, name) !== undefined,
    findUnder: (prefix) => listRefs(db, repoId, { prefix, limit: 1 })[0]?.name,
  }
}

export function putRef(tx: Tx, row: RefRow): void {
  tx.run(
    `INSERT INTO ref (repo_id, name, oid, peeled, time) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (repo_id, name) DO UPDATE SET oid = excluded.oid, peeled = excluded.peeled, time = excluded.time, batch = NULL,
       next_oid = NULL, next_peeled = NULL, next_time = NULL`,
    row.repo_id,
    row.name,
    row.oid,
    row.peeled,
    row.time,
  )
}

export function removeRef(tx: Tx, repoId: number, name: string): void {
  tx.run('DELETE FROM ref WHERE repo_id = ? AND name = ?', repoId, name)
}

export function insertBatch(tx: Tx, repoId: number): number {
  return tx.insert('ref_batch', { repo_id: repoId })
}

/** Makes what is in the batch visible, or ends what has nothing in it. */
export function deleteBatch(tx: Tx, batch: number): void {
  tx.run('DELETE FROM ref_batch WHERE id = ?', batch)
}

export function listBatches(db: Db): { id: number; repo_id: number }[] {
  return db.all('SELECT * FROM ref_batch')
}

/** A ref that the batch creates. @returns false when somebody has the name already */
export function putBatchedRef(tx: Tx, row: RefRow, batch: number): boolean {
  const sql = 'INSERT INTO ref (repo_id, name, oid, peeled, time, batch) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING'
  return tx.run(sql, row.repo_id, row.name, row.oid, row.peeled, row.time, batch) > 0
}

/** A ref that the batch moves, or deletes with zeros. */
export function putBatchedChange(tx: Tx, { repo_id: repoId, name, oid, peeled, time }: RefRow, batch: number): void {
  const sql = 'UPDATE ref SET batch = ?, next_oid = ?, next_peeled = ?, next_time = ? WHERE repo_id = ? AND name = ?'
  tx.run(sql, batch, oid, peeled, time, repoId, name)
}

/** Makes the next rows plain that a visible batch has changed. @returns false when there are no more */
export function settleRows(tx: Tx, repoId: number, limit: number): boolean {
  const rows = tx.all<{ name: string; next_oid: string }>(
    `SELECT name, next_oid FROM ref INDEXED BY ref_unsettled WHERE repo_id = ? AND next_oid IS NOT NULL AND NOT (${IS_PENDING}) ORDER BY name LIMIT ?`,
    repoId,
    limit,
  )
  const keep = 'UPDATE ref SET oid = next_oid, peeled = next_peeled, time = next_time, batch = NULL, next_oid = NULL, next_peeled = NULL, next_time = NULL'
  for (const row of rows) tx.run(`${row.next_oid === SHA1.zero ? 'DELETE FROM ref' : keep} WHERE repo_id = ? AND name = ?`, repoId, row.name)
  return rows.length === limit
}

/** Repositories with rows that are not plain. */
export function listUnsettled(db: Db): number[] {
  return db.all<{ repo_id: number }>('SELECT DISTINCT repo_id FROM ref INDEXED BY ref_unsettled WHERE next_oid IS NOT NULL').map((row) => row.repo_id)
}

/** Takes back what the batch made of the next refs behind a name; returns the last of their names. */
export function removeBatchedRefs(tx: Tx, { id, repo_id: repoId }: { id: number; repo_id: number }, name: string, limit: number): string | undefined {
  const found = tx.all<{ name: string; batch: number | null; next_oid: string | null }>(
    'SELECT name, batch, next_oid FROM ref WHERE repo_id = ? AND name > ? ORDER BY name LIMIT ?',
    repoId,
    name,
    limit,
  )
  const keep = 'UPDATE ref SET batch = NULL, next_oid = NULL, next_peeled = NULL, next_time = NULL'
  for (const row of found) if (row.batch === id) tx.run(`${row.next_oid === null ? 'DELETE FROM ref' : keep} WHERE repo_id = ? AND name = ?`, repoId, row.name)
  return found.at(-1)?.name
}

export function insertReflog(tx: Tx, row: Omit<ReflogRow, 'id' | 'acting'> & { acting?: string | null }): void {
  const sql = 'INSERT INTO reflog (repo_id, name, old_oid, new_oid, actor_id, message, created_at, acting) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  tx.run(sql, row.repo_id, row.name, row.old_oid, row.new_oid, row.actor_id, row.message, row.created_at, row.acting ?? null)
}

/** How far back in the reflog of all repositories deletions are looked for, which bounds what the look costs. */
const MOST_LOOKED_AT = 200

/** Refs deleted since `since` (seconds) with their last values, the latest first. The sign keeps SQLite from reading the repository's whole log instead. */
export function listDeleted(db: Db, repoId: number, since: number): Pick<ReflogRow, 'name' | 'old_oid'>[] {
  return db.all<Pick<ReflogRow, 'name' | 'old_oid'>>(
    'SELECT name, old_oid FROM reflog WHERE id > (SELECT max(id) FROM reflog) - ? AND +repo_id = ? AND created_at >= ? AND new_oid = ? ORDER BY id DESC',
    MOST_LOOKED_AT,
    repoId,
    since,
    SHA1.zero,
  )
}

export function getState(db: Db, repoId: number): RefState {
  return db.find<RefState>('SELECT * FROM ref_state WHERE repo_id = ?', repoId) ?? { repo_id: repoId, version: 0, written_version: 0, is_exact: 1 }
}

/**
 * Counts a change of refs.
 * @param lost what refs pointed to before it and do not now; undefined when objects may have stayed besides that no ref reaches
 */
export function bumpState(tx: Tx, repoId: number, lost: readonly Oid[] | undefined): void {
  tx.run('INSERT INTO ref_state (repo_id, version) VALUES (?, 1) ON CONFLICT (repo_id) DO UPDATE SET version = version + 1', repoId)
  if (lost === undefined) markInexact(tx, repoId)
  else loseTips(tx, repoId, lost)
}

export function markWritten(tx: Tx, repoId: number, version: number): void {
  tx.run('UPDATE ref_state SET written_version = ? WHERE repo_id = ?', version, repoId)
}

/** Repositories whose packed-refs on disk is older than their rows. */
export function listUnwritten(db: Db): number[] {
  return db.all<{ repo_id: number }>('SELECT repo_id FROM ref_state WHERE written_version <> version').map((row) => row.repo_id)
}

/** The first push to an empty repository decides its default branch when the configured one is not among the pushed. */
export function adoptDefaultBranch(tx: Tx, repo: RepoRow, branch: string): void {
  tx.run('UPDATE repository SET default_branch = ? WHERE id = ?', branch, repo.id)
}

/** Notes that there is a wiki, and which branch it is read from. */
export function setWikiBranch(tx: Tx, storeId: number, branch: string): void {
  tx.run('UPDATE repository SET wiki_branch = ? WHERE id = abs(?)', branch, storeId)
}

/** Notes that a repository's refs changed, and how many more branches it has now. */
export function touchRepo(tx: Tx, repoId: number, branches: number, now: number): void {
  tx.run('UPDATE repository SET updated_at = ?1, branch_count = branch_count + ?2, is_empty = (branch_count + ?2 = 0) WHERE id = ?3', now, branches, repoId)
}

/** Copies the next refs behind a name that start with `prefix`. @returns how many, and the last of their names */
export function copyRefsUnder(tx: Tx, fromId: number, toId: number, { prefix, after, limit }: { prefix: string; after: string; limit: number }) {
  const copied = tx.run(
    `INSERT INTO ref (repo_id, name, oid, peeled, time)
     SELECT ?2, name, ${['oid', 'peeled', 'time'].map(asItIs).join(', ')} FROM ref
     WHERE repo_id = ?1 AND name > ?3 AND name < ?4 AND ${VISIBLE} ORDER BY name LIMIT ?5`,
    fromId,
    toId,
    after,
    afterPrefix(prefix),
    limit,
  )
  return { copied, last: tx.find<{ name: string }>('SELECT name FROM ref WHERE repo_id = ? ORDER BY name DESC LIMIT 1', toId)?.name ?? after }
}

/** @returns how many branches */
export function copyBranchesAndTags(tx: Tx, fromId: number, toId: number): number {
  const [branches = 0] = ['refs/heads/', 'refs/tags/'].map((prefix) =>
    tx.run(
      `INSERT INTO ref (repo_id, name, oid, peeled, time)
       SELECT ?2, name, ${['oid', 'peeled', 'time'].map(asItIs).join(', ')} FROM ref WHERE repo_id = ?1 AND name >= ?3 AND name < ?4 AND ${VISIBLE}`,
      fromId,
      toId,
      prefix,
      afterPrefix(prefix),
    ),
  )
  return branches
}

/** Sorts behind all that begins with `prefix`. */
export function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** Forgets entries from before `time` (Unix seconds), at most `limit`. @returns how many */
export function forgetReflog(tx: Tx, time: number, limit: number): number {
  return tx.run('DELETE FROM reflog WHERE id IN (SELECT id FROM reflog WHERE created_at < ? ORDER BY created_at LIMIT ?)', time, limit)
}

/** Takes away refs and reflog entries of a repository that is gone, at most `limit` of each. @returns false when none are left */
export function clearRows(tx: Tx, repoId: number, limit: number): boolean {
  const refs = tx.run('DELETE FROM ref WHERE repo_id = ?1 AND name IN (SELECT name FROM ref WHERE repo_id = ?1 ORDER BY name LIMIT ?2)', repoId, limit)
  const entries = tx.run('DELETE FROM reflog WHERE id IN (SELECT id FROM reflog WHERE repo_id = ? LIMIT ?)', repoId, limit)
  if (refs + entries > 0) return true
  tx.run('DELETE FROM ref_state WHERE repo_id = ?', repoId)
  tx.run('DELETE FROM lost_tip WHERE repo_id = ?', repoId)
  return false
}
