import type { Db } from '#kernel/db.ts'

/** Of all git stores: repositories, and the wikis that are there. */
export function listStoreIds(db: Db): number[] {
  return db.all<{ id: number }>("SELECT id FROM repository UNION ALL SELECT -id FROM repository WHERE wiki_branch <> '' ORDER BY id").map((row) => row.id)
}
