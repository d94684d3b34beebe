import type { RepoRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

export function countOwnedRepos(db: Db, ownerId: number): number {
  return db.find<{ n: number }>('SELECT count(*) AS n FROM repository WHERE owner_id = ?', ownerId)?.n ?? 0
}

export type NewRepo = Pick<RepoRow, 'owner_id' | 'name' | 'description' | 'default_branch' | 'trust_model' | 'is_private' | 'is_template' | 'created_at'> &
  Partial<Pick<RepoRow, 'fork_of' | 'settings'>>

/** Inserts a repository and ends the redirect that its name may have been; returns its id. */
export function insertRepo(tx: Tx, repo: NewRepo): number {
  const lowerName = repo.name.toLowerCase()
  deleteRedirect(tx, repo.owner_id, lowerName)
  return tx.insert('repository', { ...repo, lower_name: lowerName, updated_at: repo.created_at })
}

export type RepoChange = Partial<Omit<RepoRow, 'id' | 'owner_id' | 'lower_name'>>

export function updateRepo(tx: Tx, repo: RepoRow, change: RepoChange): void {
  if (change.name !== undefined && change.name !== repo.name) rename(tx, repo, change.name)
  tx.update('repository', repo.id, { ...change })
}

/** Gives a repository to another owner; what the old one had under its name leads there from now on. */
export function giveTo(tx: Tx, repo: RepoRow, ownerId: number): void {
  deleteRedirect(tx, ownerId, repo.lower_name)
  addRedirect(tx, repo)
  tx.update('repository', repo.id, { owner_id: ownerId })
}

/** Those over `after`, in their order. */
export function listRepoIds(db: Db, after: number, limit: number): number[] {
  return db.all<{ id: number }>('SELECT id FROM repository WHERE id > ? ORDER BY id LIMIT ?', after, limit).map(({ id }) => id)
}

/** Whether a directory of this number belongs to a repository: to one that is there, one that is being made, or one whose directory is to be removed. */
export function isRepoKnown(db: Db, id: number): boolean {
  return db.find('SELECT 1 FROM repository WHERE id = ?1 UNION ALL SELECT 1 FROM removed_repository WHERE id = ?1', id) !== undefined
}

/** Those whose directory is to be removed; not those that are only about to be made. */
export function listRemoved(db: Db): number[] {
  return db.all<{ id: number }>('SELECT id FROM removed_repository WHERE removed_at > 0').map((row) => row.id)
}

/** Notes a repository that is about to be made: what is written for it has no row yet. */
export function insertComing(tx: Tx, repoId: number): void {
  insertRemoved(tx, repoId, 0)
}

export function listComing(db: Db): number[] {
  return db.all<{ id: number }>('SELECT id FROM removed_repository WHERE removed_at = 0').map((row) => row.id)
}

/** It will not be made: what was written for it is to be removed. */
export function giveUpComing(tx: Tx, repoId: number, now: number): void {
  tx.run('UPDATE removed_repository SET removed_at = ? WHERE id = ? AND removed_at = 0', now, repoId)
}

/** Notes that its directory and its refs are still there. */
export function insertRemoved(tx: Tx, repoId: number, now: number): void {
  tx.run('INSERT INTO removed_repository (id, removed_at) VALUES (?, ?)', repoId, now)
}

/** A number that no repository has had, and that none will be given. */
export function reserveRepoId(tx: Tx): number {
  const next = "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'repository' RETURNING seq"
  const begin = "INSERT INTO sqlite_sequence (name, seq) VALUES ('repository', 1) RETURNING seq"
  return (tx.find<{ seq: number }>(next) ?? tx.find<{ seq: number }>(begin))?.seq as number
}

export function findRepoId(db: Db, repoId: number): number | undefined {
  return db.find<{ id: number }>('SELECT id FROM repository WHERE id = ?', repoId)?.id
}

export function forgetRemoved(tx: Tx, repoId: number): void {
  tx.run('DELETE FROM removed_repository WHERE id = ?', repoId)
}

export function setSize(tx: Tx, repoId: number, bytes: number): void {
  tx.run('UPDATE repository SET size_bytes = ? WHERE id = ?', bytes, repoId)
}

/** The old name leads to the repository from now on; the new one leads nowhere else any more. */
function rename(tx: Tx, repo: RepoRow, name: string): void {
  const lowerName = name.toLowerCase()
  deleteRedirect(tx, repo.owner_id, lowerName)
  if (lowerName === repo.lower_name) return
  addRedirect(tx, repo)
  tx.update('repository', repo.id, { lower_name: lowerName })
}

function addRedirect(tx: Tx, { owner_id, lower_name, id }: RepoRow): void {
  tx.run('INSERT OR REPLACE INTO repository_redirect (owner_id, lower_name, repo_id) VALUES (?, ?, ?)', owner_id, lower_name, id)
}

function deleteRedirect(tx: Tx, ownerId: number, lowerName: string): void {
  tx.run('DELETE FROM repository_redirect WHERE owner_id = ? AND lower_name = ?', ownerId, lowerName)
}

/** 0 for who owns none. */
export function findLastOwnedRepoId(db: Db, ownerId: number): number {
  return db.find<{ id: number | null }>('SELECT max(id) AS id FROM repository WHERE owner_id = ?', ownerId)?.id ?? 0
}
