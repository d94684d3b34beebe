import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import times from './1_times.sql' with { type: 'text' }
import spent from './2_spent.sql' with { type: 'text' }
import resets from './3_resets.sql' with { type: 'text' }
import jobs from './4_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'times',
  migrations: [
    { name: '1_times', sql: times },
    { name: '2_spent', sql: spent },
    { name: '3_resets', sql: resets },
    { name: '4_jobs', sql: jobs },
  ],
  routes: async () => (await import('./routes.ts')).times,
  jobs: async () => [(await import('./reset-times.ts')).deleteResetTimes],
}
