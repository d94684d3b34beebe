import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import teamRepos from './1_team_repos.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'team-repos',
  migrations: [{ name: '1_team_repos', sql: teamRepos, formerly: ['0010_teams'] }],
  routes: async () => (await import('./routes.ts')).teamRepos,
  pages: async () => (await import('./pages.tsx')).teamRepoPages,
}
