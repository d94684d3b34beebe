import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import forks from './1_forks.sql' with { type: 'text' }
import forkedForks from './2_forked_forks.sql' with { type: 'text' }
import forkOwners from './3_fork_owners.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'forks',
  migrations: [
    { name: '1_forks', sql: forks },
    { name: '2_forked_forks', sql: forkedForks },
    { name: '3_fork_owners', sql: forkOwners },
  ],
  routes: async () => (await import('./routes.ts')).forks,
  pages: async () => (await import('./pages.tsx')).forkPages,
}
