import { t } from 'elysia'
import { RepoParams, TeamParams } from '#access/index.ts'

export const TeamRepoParams = t.Object({
  ...TeamParams.properties,
  org: t.String({ description: 'Organization that owns the repository' }),
  repo: t.String({ description: 'Name of the repository' }),
})
export const RepoTeamParams = t.Object({
  ...RepoParams.properties,
  team: t.String({ description: 'Name of the team' }),
})
