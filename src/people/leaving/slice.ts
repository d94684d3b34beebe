import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import purges from './1_purges.sql' with { type: 'text' }
import leavers from './2_leavers.sql' with { type: 'text' }
import jobs from './3_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'leaving',
  migrations: [
    { name: '1_purges', sql: purges, formerly: ['0022_purges'] },
    { name: '2_leavers', sql: leavers },
    { name: '3_jobs', sql: jobs },
  ],
  jobs: async () => [(await import('./forget-leavers.ts')).removeWatches],
}
