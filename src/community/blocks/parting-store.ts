import type { Db, Tx } from '#kernel/db.ts'

/** A person who is to let go of an owner's repositories. */
export interface PartingRow {
  id: number
  user_id: number
  owner_id: number
  looked_to: number
}

export function insertParting(tx: Tx, row: Pick<PartingRow, 'user_id' | 'owner_id'>): void {
  tx.insert('parting', { ...row })
}

export function findFirstParting(db: Db): PartingRow | undefined {
  return db.find<PartingRow>('SELECT * FROM parting ORDER BY id LIMIT 1')
}

export function setLookedTo(tx: Tx, id: number, repoId: number): void {
  tx.update('parting', id, { looked_to: repoId })
}

export function deleteParting(tx: Tx, id: number): void {
  tx.run('DELETE FROM parting WHERE id = ?', id)
}
