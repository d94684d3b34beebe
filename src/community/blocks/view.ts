import type { Static } from 'elysia'
import { rfc3339 } from '#kernel/clock.ts'
import type { BlockedUser } from './schema.ts'
import type { BlockedRow } from './store.ts'

export function presentBlocked(row: BlockedRow): Static<typeof BlockedUser> {
  return { block_id: row.id, created_at: rfc3339(row.blocked_at) }
}
