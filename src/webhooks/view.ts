import type { Static } from 'elysia'
import { rfc3339 } from '../kernel/clock.ts'
import type { Hook } from './schema.ts'
import type { WebhookRow } from './store.ts'

/** Neither the secret nor the authorization header is ever shown; CVE-2026-58511. */
export function presentHook(row: WebhookRow): Static<typeof Hook> {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    branch_filter: row.branch_filter,
    config: { ...(JSON.parse(row.settings) as Record<string, string>), url: row.url, content_type: row.content_type },
    events: JSON.parse(row.events) as string[],
    authorization_header: '',
    active: row.is_active === 1,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
  }
}
