import type { Db, Tx } from '#kernel/db.ts'

/** The deletion of all that an owner has, as it was asked for. */
export interface Purge {
  owner_id: number
  actor_id: number
  last_repo_id: number
  takes_account: number
}

export function listPurges(db: Db): Purge[] {
  return db.all<Purge>('SELECT * FROM purge ORDER BY owner_id')
}

/** What was asked for before still holds. */
export function insertPurge(tx: Tx, asked: Purge): Purge {
  tx.run(
    `INSERT INTO purge (owner_id, actor_id, last_repo_id, takes_account) VALUES (?, ?, ?, ?)
     ON CONFLICT (owner_id) DO UPDATE SET
       actor_id = excluded.actor_id, last_repo_id = excluded.last_repo_id, takes_account = max(takes_account, excluded.takes_account)`,
    asked.owner_id,
    asked.actor_id,
    asked.last_repo_id,
    asked.takes_account,
  )
  return tx.find<Purge>('SELECT * FROM purge WHERE owner_id = ?', asked.owner_id) as Purge
}

/** Whether the account itself is being deleted. */
export function isLeaving(db: Db, ownerId: number): boolean {
  return db.find('SELECT 1 FROM purge WHERE owner_id = ? AND takes_account = 1', ownerId) !== undefined
}

/** The account itself is gone. */
export function endPurge(tx: Tx, ownerId: number): void {
  tx.run('DELETE FROM purge WHERE owner_id = ?', ownerId)
}

/** Leaves alone what has been asked for meanwhile. */
export function deletePurge(tx: Tx, { owner_id, last_repo_id }: Purge): void {
  tx.run('DELETE FROM purge WHERE owner_id = ? AND last_repo_id = ? AND takes_account = 0', owner_id, last_repo_id)
}
