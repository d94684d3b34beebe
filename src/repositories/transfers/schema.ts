import { type Static, t } from 'elysia'
import { Int } from '#kernel/schema.ts'

export const TransferRepoOption = t.Object(
  {
    new_owner: t.String({ minLength: 1, maxLength: 255, description: 'Name of the user or organization that will own the repository' }),
    team_ids: t.Optional(t.Array(Int(), { maxItems: 100, description: 'IDs of teams that get access, if the new owner is an organization' })),
  },
  { $id: 'TransferRepoOption' },
)
export type TransferRepoOption = Static<typeof TransferRepoOption>
