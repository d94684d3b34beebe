import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import teams from './1_teams.sql' with { type: 'text' }
import gone from './2_gone.sql' with { type: 'text' }
import goneOrgs from './3_gone_orgs.sql' with { type: 'text' }
import ofAll from './4_teams_of_all.sql' with { type: 'text' }
import jobs from './5_jobs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'teams',
  migrations: [
    { name: '1_teams', sql: teams, formerly: ['0010_teams', '0024_team_visibility'] },
    { name: '2_gone', sql: gone },
    { name: '3_gone_orgs', sql: goneOrgs },
    { name: '4_teams_of_all', sql: ofAll },
    { name: '5_jobs', sql: jobs },
  ],
  routes: async () => (await import('./routes.ts')).teams,
  pages: async () => (await import('./pages.ts')).teamPages,
}
