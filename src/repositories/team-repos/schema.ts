import { t } from 'elysia'
import { RepoParams, TeamParams } from '#access/index.ts'

export const TeamRepoParams = t.Object({
  ...TeamParams.properties,
  org: t.String({ description: 'organization that owns the repo' }),
  repo: t.String({ description: 'name of the repo' }),
})
export const RepoTeamParams = t.Object({
  ...RepoParams.properties,
  team: t.String({ description: 'team name' }),
})
