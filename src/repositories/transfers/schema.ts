import { type Static, t } from 'elysia'
import { Int } from '#kernel/schema.ts'

export const TransferRepoOption = t.Object(
  {
    new_owner: t.String({ minLength: 1, maxLength: 255, description: 'name of the user or organization that is to own it' }),
    team_ids: t.Optional(t.Array(Int(), { maxItems: 100, description: 'teams of the new owner, an organization, that are to reach it' })),
  },
  { $id: 'TransferRepoOption' },
)
export type TransferRepoOption = Static<typeof TransferRepoOption>
