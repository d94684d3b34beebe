import type { Db, Tx } from '#kernel/db.ts'

/** Of all git stores: repositories, and the wikis that are there. */
export function listStoreIds(db: Db): number[] {
  return db.all<{ id: number }>("SELECT id FROM repository UNION ALL SELECT -id FROM repository WHERE wiki_branch <> '' ORDER BY id").map((row) => row.id)
}

/** When the packs of a store were last read from end to end, in seconds since 1970; 0: never. */
export function checkedAt(db: Db, storeId: number): number {
  return db.find<{ at: number }>('SELECT checked_at AS at FROM derived_pack_check WHERE store_id = ?', storeId)?.at ?? 0
}

export function noteCheck(tx: Tx, storeId: number, now: number, faults: readonly string[]): void {
  tx.run('INSERT OR REPLACE INTO derived_pack_check (store_id, checked_at, faults) VALUES (?, ?, ?)', storeId, now, faults.join('\n'))
}

/** A store whose packs are damaged. */
export interface DamagedStore {
  /** `owner/name`, of a wiki `owner/name.wiki`. */
  name: string
  faults: string
}

export function listDamaged(db: Db): DamagedStore[] {
  return db.all<DamagedStore>(
    `SELECT u.name || '/' || r.name || iif(c.store_id < 0, '.wiki', '') AS name, faults
     FROM derived_pack_check AS c JOIN repository AS r ON r.id = abs(c.store_id) JOIN user AS u ON u.id = r.owner_id WHERE faults <> '' ORDER BY 1`,
  )
}
