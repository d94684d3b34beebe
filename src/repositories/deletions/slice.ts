import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import deletions from './1_deletions.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'deletions',
  migrations: [{ name: '1_deletions', sql: deletions }],
  start: async (context) => (await import('./sweep.ts')).startSweepingDeletions(context),
}
