import type { RepoRow } from '#access/index.ts'
import type { Db, Tx } from '#kernel/db.ts'

/** A repository whose forks become private, and up to which of them they have, by id. */
export interface HidingRepo {
  id: number
  looked_to: number
}

export function setHiding(tx: Tx, { id, looked_to }: HidingRepo): void {
  tx.run('INSERT OR REPLACE INTO hiding_repository (id, looked_to) VALUES (?, ?)', id, looked_to)
}

/** The last first: what was hidden a moment ago is done with before there are very many of it. */
export function findNextHiding(db: Db): HidingRepo | undefined {
  return db.find<HidingRepo>('SELECT * FROM hiding_repository ORDER BY id DESC LIMIT 1')
}

export function deleteHiding(tx: Tx, id: number): void {
  tx.run('DELETE FROM hiding_repository WHERE id = ?', id)
}

/** So many of the next forks, by id. */
export function listForksAfter(db: Db, { id, looked_to }: HidingRepo, limit: number): RepoRow[] {
  return db.all<RepoRow>('SELECT * FROM repository WHERE fork_of = ? AND id > ? ORDER BY id LIMIT ?', id, looked_to, limit)
}
