import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import tables from './1_pulls.sql' with { type: 'text' }
import scheduledMerges from './2_scheduled_merges.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'pulls',
  migrations: [
    { name: '1_pulls', sql: tables },
    { name: '2_scheduled_merges', sql: scheduledMerges },
  ],
  start: async (context) => (await import('./follow-statuses.ts')).startMergingScheduled(context),
  routes: async () => (await import('./routes.ts')).pulls,
}
