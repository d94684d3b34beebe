import type { Static } from 'elysia'
import type { Label } from './schema.ts'
import type { LabelRow } from './store.ts'

/** @param holderUrl of the repository or the organization that it belongs to, in the API */
export function presentLabel(holderUrl: string, row: LabelRow): Static<typeof Label> {
  return {
    id: row.id,
    name: row.name,
    exclusive: row.is_exclusive === 1,
    is_archived: row.archived_at !== null,
    color: row.color,
    description: row.description,
    url: `${holderUrl}/labels/${row.id}`,
  }
}
