import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { UnreadCounter } from '#web/hooks.ts'
import notifications from './1_notifications.sql' with { type: 'text' }
import reasons from './2_reasons.sql' with { type: 'text' }
import places from './3_places.sql' with { type: 'text' }
import told from './4_told.sql' with { type: 'text' }
import repositories from './5_repositories.sql' with { type: 'text' }
import { countNews } from './news-store.ts'

export const slice: Slice<Context> = {
  name: 'notifications',
  migrations: [
    { name: '1_notifications', sql: notifications },
    { name: '2_reasons', sql: reasons },
    { name: '3_places', sql: places },
    { name: '4_told', sql: told },
    { name: '5_repositories', sql: repositories },
  ],
  attach: ({ services }) => {
    services.get(UnreadCounter).count = countNews
  },
  routes: async () => (await import('./routes.ts')).notifications,
  pages: async () => (await import('./pages.tsx')).notificationPages,
  start: async (context) => (await import('./follow-events.ts')).startNotifying(context),
}
