import type { Static } from 'elysia'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { foldEvents } from './event-names.ts'
import { mayFire } from './rules.ts'
import type { Hook } from './schema.ts'
import { addressOf } from './secrets.ts'
import type { WebhookRow } from './store.ts'

type Viewing = Pick<Context, 'db' | 'secrets'>

/** A hook whose maker may not make it any more is not active, whatever was asked. */
export function presentHook(context: Viewing, row: WebhookRow): Static<typeof Hook> {
  return record(context, row, row.is_active === 1 && mayFire(context.db, row))
}

/** Hooks of one holder, whose makers are few: each is asked after once. */
export function presentHooks(context: Viewing, rows: readonly WebhookRow[]): Static<typeof Hook>[] {
  const byMaker = Map.groupBy(rows, (row) => row.creator_id)
  const entitled = new Set([...byMaker].flatMap(([maker, [hook]]) => (hook && mayFire(context.db, hook) ? [maker] : [])))
  return rows.map((row) => record(context, row, row.is_active === 1 && entitled.has(row.creator_id)))
}

/** Neither the secret nor the authorization header is ever shown; CVE-2026-58511. */
function record(context: Pick<Context, 'secrets'>, row: WebhookRow, active: boolean): Static<typeof Hook> {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    branch_filter: row.branch_filter,
    config: { ...(JSON.parse(row.settings) as Record<string, string>), url: addressOf(context, row), content_type: row.content_type },
    events: foldEvents(JSON.parse(row.events) as string[]),
    authorization_header: '',
    active,
    created_at: rfc3339(row.created_at),
    updated_at: rfc3339(row.updated_at),
  }
}
