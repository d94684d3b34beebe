import { type Static, t } from 'elysia'
import { Time } from '#kernel/schema.ts'

export const WatchInfo = t.Object(
  {
    subscribed: t.Boolean(),
    ignored: t.Boolean(),
    reason: t.Null(),
    created_at: Time,
    url: t.String(),
    repository_url: t.String(),
  },
  { $id: 'WatchInfo' },
)
export type WatchInfo = Static<typeof WatchInfo>
