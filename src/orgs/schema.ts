import { t } from 'elysia'
import { Int } from '../kernel/schema.ts'
import { VisibilityName } from '../users/index.ts'

export const Organization = t.Object(
  {
    id: Int(),
    name: t.String(),
    full_name: t.String(),
    email: t.String(),
    avatar_url: t.String(),
    description: t.String(),
    website: t.String(),
    location: t.String(),
    visibility: t.String(),
    repo_admin_change_team_access: t.Boolean(),
    username: t.String(),
  },
  { $id: 'Organization' },
)

export const CreateOrgOption = t.Object(
  {
    username: t.String({ minLength: 1, maxLength: 40 }),
    full_name: t.Optional(t.String({ maxLength: 100 })),
    email: t.Optional(t.String({ maxLength: 254 })),
    description: t.Optional(t.String({ maxLength: 255 })),
    website: t.Optional(t.String({ maxLength: 255 })),
    location: t.Optional(t.String({ maxLength: 50 })),
    visibility: t.Optional(VisibilityName),
    repo_admin_change_team_access: t.Optional(t.Boolean()),
  },
  { $id: 'CreateOrgOption' },
)
