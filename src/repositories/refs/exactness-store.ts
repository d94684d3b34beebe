import type { Oid } from '#git/objects/oid.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** Of so many that refs have lost nobody asks whether others reach them. */
const MAX_LOST = 100

/** Refs point to these no more. */
export function loseTips(tx: Tx, repoId: number, lost: readonly Oid[]): void {
  if (lost.length === 0 || isInDoubt(tx, repoId)) return
  if (lost.length > MAX_LOST) return markInexact(tx, repoId)
  for (const oid of lost) tx.run('INSERT OR IGNORE INTO lost_tip (repo_id, oid) VALUES (?, ?)', repoId, oid)
  if ((findLostTips(tx, repoId)?.length ?? 0) > MAX_LOST) markInexact(tx, repoId)
  else settleExactness(tx, repoId)
}

/** From now on objects may be stored that no ref reaches, and nobody knows which; fetches look before they give anything out. */
export function markInexact(tx: Tx, repoId: number): void {
  tx.run("INSERT OR IGNORE INTO lost_tip (repo_id, oid) VALUES (?, '')", repoId)
  tx.run('INSERT INTO ref_state (repo_id, is_exact) VALUES (?, 0) ON CONFLICT (repo_id) DO UPDATE SET is_exact = 0', repoId)
}

/**
 * The same of every repository, and every wiki that has something: the database is of another time than they are, and they may hold what was pushed
 * later. Upkeep settles it, one after the other.
 */
export function markAllInexact(tx: Tx): void {
  const stores = 'SELECT id FROM repository UNION SELECT DISTINCT repo_id FROM ref WHERE repo_id < 0'
  tx.run(`INSERT OR IGNORE INTO lost_tip (repo_id, oid) SELECT id, '' FROM (${stores})`)
  tx.run(`INSERT INTO ref_state (repo_id, is_exact) SELECT id, 0 FROM (${stores}) WHERE true ON CONFLICT (repo_id) DO UPDATE SET is_exact = 0`)
}

/** Whether `markInexact` was called since the store was exact. */
export function isInDoubt(db: Db, repoId: number): boolean {
  return db.find("SELECT 1 FROM lost_tip WHERE repo_id = ? AND oid = ''", repoId) !== undefined
}

/** Nothing came of what `markInexact` was called for, and there was no doubt before. */
export function endDoubt(tx: Tx, repoId: number): void {
  tx.run("DELETE FROM lost_tip WHERE repo_id = ? AND oid = ''", repoId)
  settleExactness(tx, repoId)
}

/** What refs have lost, when there is nothing else that they may not reach; undefined otherwise. */
export function findLostTips(db: Db, repoId: number): Oid[] | undefined {
  if (isInDoubt(db, repoId)) return undefined
  return db.all<{ oid: Oid }>('SELECT oid FROM lost_tip WHERE repo_id = ?', repoId).map(({ oid }) => oid)
}

/** Upkeep found that the refs as of `version` reach everything. */
export function markExact(tx: Tx, repoId: number, version: number): void {
  if (!tx.find('SELECT 1 FROM ref_state WHERE repo_id = ? AND version = ?', repoId, version)) return
  tx.run('DELETE FROM lost_tip WHERE repo_id = ?', repoId)
  settleExactness(tx, repoId)
}

function settleExactness(tx: Tx, repoId: number): void {
  tx.run('UPDATE ref_state SET is_exact = NOT EXISTS (SELECT 1 FROM lost_tip WHERE lost_tip.repo_id = ref_state.repo_id) WHERE repo_id = ?', repoId)
}
