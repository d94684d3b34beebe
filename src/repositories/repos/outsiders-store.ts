import type { Db, Tx } from '#kernel/db.ts'

/** A repository that fewer people see than before, and up to whom they have been looked at, by id. */
export interface NarrowedRepo {
  id: number
  looked_to: number
}

export function setNarrowed(tx: Tx, { id, looked_to }: NarrowedRepo): void {
  tx.run('INSERT INTO narrowed_repository (id, looked_to) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET looked_to = excluded.looked_to', id, looked_to)
}

export function findFirstNarrowed(db: Db): NarrowedRepo | undefined {
  return db.find<NarrowedRepo>('SELECT * FROM narrowed_repository ORDER BY id LIMIT 1')
}

export function deleteNarrowed(tx: Tx, id: number): void {
  tx.run('DELETE FROM narrowed_repository WHERE id = ?', id)
}
