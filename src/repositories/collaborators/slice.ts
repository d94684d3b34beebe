import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import collaborators from './1_collaborators.sql' with { type: 'text' }
import ended from './2_ended.sql' with { type: 'text' }
import jobs from './3_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'collaborators',
  migrations: [
    { name: '1_collaborators', sql: collaborators, formerly: ['0004_repos'] },
    { name: '2_ended', sql: ended },
    { name: '3_jobs', sql: jobs },
  ],
  routes: async () => (await import('./routes.ts')).collaborators,
  pages: async () => (await import('./pages.tsx')).collaboratorPages,
  jobs: async () => [(await import('./end-many.ts')).removeEndedCollaborations],
}
