import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import repos from './1_repos.sql' with { type: 'text' }
import transfers from './2_transfers.sql' with { type: 'text' }
import unfilled from './3_unfilled.sql' with { type: 'text' }
import outsiders from './4_outsiders.sql' with { type: 'text' }
import gone from './5_gone.sql' with { type: 'text' }
import hiding from './6_hiding.sql' with { type: 'text' }
import jobs from './7_jobs.sql' with { type: 'text' }
import { hasUnfilled } from './unfilled-store.ts'

export const slice: Slice<Context> = {
  name: 'repos',
  migrations: [
    { name: '1_repos', sql: repos, formerly: ['0004_repos'] },
    { name: '2_transfers', sql: transfers },
    { name: '3_unfilled', sql: unfilled },
    { name: '4_outsiders', sql: outsiders },
    { name: '5_gone', sql: gone },
    { name: '6_hiding', sql: hiding },
    { name: '7_jobs', sql: jobs },
  ],
  routes: async () => (await import('./routes.ts')).repos,
  pages: async () => (await import('./pages.tsx')).repoPages,
  settle: async (context) => {
    if (hasUnfilled(context.db)) (await import('./unfilled.ts')).sweepUnfilled(context)
  },
  start: async (context) => (await import('./sweep-repos.ts')).startSweeping(context),
  jobs: async () => [
    (await import('./hide-forks.ts')).hideForks,
    (await import('./forget-outsiders.ts')).removeOutsiders,
    (await import('./purge-repos.ts')).deleteAllRepos,
  ],
}
