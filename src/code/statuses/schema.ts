import { type Static, t } from 'elysia'
import { PageQuery } from '#access/index.ts'
import { Int, oneOf, Time } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'
import { Repository } from '#repositories/repos/index.ts'

const commitStates = ['pending', 'success', 'error', 'failure', 'warning', 'skipped'] as const
export type CommitState = (typeof commitStates)[number]

export const CommitStatus = t.Object(
  {
    id: Int({ description: 'number of the status within its commit' }),
    status: t.String(),
    target_url: t.String(),
    description: t.String(),
    url: t.String(),
    context: t.String(),
    creator: t.Union([User, t.Null()]),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'CommitStatus' },
)
export type CommitStatus = Static<typeof CommitStatus>
export const CommitStatusList = t.Array(CommitStatus)

export const CombinedStatus = t.Object(
  {
    state: t.String(),
    sha: t.String(),
    total_count: Int(),
    statuses: t.Union([CommitStatusList, t.Null()]),
    repository: Repository,
    commit_url: t.String(),
    url: t.String(),
  },
  { $id: 'CombinedStatus' },
)
export type CombinedStatus = Static<typeof CombinedStatus>

/** The contract's name for the combined record. Gitea's clients expect a list at the same path. */
export const Status = t.Union([CombinedStatus, CommitStatusList], {
  $id: 'Status',
  description: 'the same as CombinedStatus; a list of CommitStatus if the request has page, limit, sort or state',
})

export const CreateStatusOption = t.Object(
  {
    state: oneOf(commitStates),
    context: t.Optional(t.String({ maxLength: 255, description: 'name of the check; a newer status with the same context replaces this one' })),
    description: t.Optional(t.String({ maxLength: 1024 })),
    target_url: t.Optional(t.String({ maxLength: 2048, description: 'http or https' })),
  },
  { $id: 'CreateStatusOption' },
)
export type CreateStatusOption = Static<typeof CreateStatusOption>

export const StatusesQuery = t.Object({
  ...PageQuery.properties,
  sort: t.Optional(t.String({ description: 'newest (default), oldest, recentupdate, leastupdate, leastindex or highestindex' })),
  state: t.Optional(t.String({ description: 'only statuses with this state' })),
})
export type StatusesQuery = Static<typeof StatusesQuery>
