import type { Db, Tx } from '#kernel/db.ts'

/** Somebody who may see less of an account's repositories than before, and up to which they have been looked at, by id. */
export interface Leaver {
  user_id: number
  owner_id: number
  looked_to: number
}

export function setLeaver(tx: Tx, { user_id, owner_id, looked_to }: Leaver): void {
  const sql = 'INSERT INTO leaver (user_id, owner_id, looked_to) VALUES (?, ?, ?) ON CONFLICT (user_id, owner_id) DO UPDATE SET looked_to = excluded.looked_to'
  tx.run(sql, user_id, owner_id, looked_to)
}

export function findFirstLeaver(db: Db): Leaver | undefined {
  return db.find<Leaver>('SELECT * FROM leaver ORDER BY user_id, owner_id LIMIT 1')
}

export function deleteLeaver(tx: Tx, { user_id, owner_id }: Leaver): void {
  tx.run('DELETE FROM leaver WHERE user_id = ? AND owner_id = ?', user_id, owner_id)
}
