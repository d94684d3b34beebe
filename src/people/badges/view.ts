import type { Static } from 'elysia'
import type { Badge } from './schema.ts'
import type { BadgeRow } from './store.ts'

export function presentBadge(row: BadgeRow): Static<typeof Badge> {
  return { id: row.id, slug: row.slug, description: row.description, image_url: row.image_url }
}
