import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import blocks from './1_blocks.sql' with { type: 'text' }
import partings from './2_partings.sql' with { type: 'text' }
import begunAfter from './3_begun_after.sql' with { type: 'text' }
import jobs from './4_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'blocks',
  migrations: [
    { name: '1_blocks', sql: blocks, formerly: ['0014_blocks'] },
    { name: '2_partings', sql: partings },
    { name: '3_begun_after', sql: begunAfter },
    { name: '4_jobs', sql: jobs },
  ],
  routes: async () => (await import('./routes.ts')).blocks,
  pages: async () => (await import('./pages.tsx')).blockPages,
  jobs: async () => [(await import('./part.ts')).removeInterests],
}
