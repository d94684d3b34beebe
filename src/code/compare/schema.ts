import { t } from 'elysia'
import { RepoParams } from '#access/index.ts'
import { Commit, DetailsQuery } from '#code/commits/index.ts'
import { Int } from '#kernel/schema.ts'

export const Compare = t.Object({ total_commits: Int(), commits: t.Array(Commit) }, { $id: 'Compare' })

export const CompareParams = t.Object({
  ...RepoParams.properties,
  '*': t.String({
    title: 'basehead',
    description: 'branches, tags or commits: base...head (since the merge base) or base..head (direct); each may end in ~N or ^N, as in main~3...main',
  }),
})

export const CompareQuery = t.Object({
  ...DetailsQuery.properties,
  output: t.Optional(t.String({ maxLength: 16, description: 'diff or patch: return the changes as text' })),
})
