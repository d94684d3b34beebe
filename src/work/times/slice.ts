import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import times from './1_times.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'times',
  migrations: [{ name: '1_times', sql: times }],
  routes: async () => (await import('./routes.ts')).times,
}
