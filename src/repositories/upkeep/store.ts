import type { Db } from '#kernel/db.ts'

export function listRepoIds(db: Db): number[] {
  return db.all<{ id: number }>('SELECT id FROM repository ORDER BY id').map((row) => row.id)
}
