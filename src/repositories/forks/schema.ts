import { type Static, t } from 'elysia'

export const CreateForkOption = t.Object(
  {
    name: t.Optional(t.String({ maxLength: 100, description: 'name of the fork; default: that of the repository' })),
    organization: t.Optional(t.String({ maxLength: 100, description: 'name of the organization that is to own it; default: who asks' })),
  },
  { $id: 'CreateForkOption' },
)
export type CreateForkOption = Static<typeof CreateForkOption>
