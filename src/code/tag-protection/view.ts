import { rfc3339 } from '#kernel/clock.ts'
import type { Db } from '#kernel/db.ts'
import type { TagProtection } from './schema.ts'
import { listAllowed, type TagProtectionRow } from './store.ts'

export function presentTagProtection(db: Db, row: TagProtectionRow): TagProtection {
  const { users, teams } = listAllowed(db, row.id)
  return {
    id: row.id,
    name_pattern: row.name_pattern,
    whitelist_usernames: users,
    whitelist_teams: teams,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
  }
}
