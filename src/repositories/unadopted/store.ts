import type { Db } from '#kernel/db.ts'

/** Those of the names that accounts have; all in lower case. */
export function listAccountNames(db: Db, lowerNames: readonly string[]): ReadonlySet<string> {
  const rows = db.all<{ lower_name: string }>('SELECT lower_name FROM user WHERE lower_name IN (SELECT value FROM json_each(?))', JSON.stringify(lowerNames))
  return new Set(rows.map((row) => row.lower_name))
}

/** All repositories of these accounts, as `owner/name` in lower case. */
export function listRepoNames(db: Db, lowerOwners: readonly string[]): ReadonlySet<string> {
  const rows = db.all<{ full_name: string }>(
    `SELECT user.lower_name || '/' || repository.lower_name AS full_name FROM json_each(?)
     JOIN user ON user.lower_name = json_each.value JOIN repository ON repository.owner_id = user.id`,
    JSON.stringify(lowerOwners),
  )
  return new Set(rows.map((row) => row.full_name))
}
