import { t } from 'elysia'
import { OrgParams } from '#access/index.ts'
import { Int } from '#kernel/schema.ts'
import { VisibilityOrEmpty } from '#people/users/index.ts'

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
    visibility: t.Optional(VisibilityOrEmpty),
    repo_admin_change_team_access: t.Optional(t.Boolean()),
  },
  { $id: 'CreateOrgOption' },
)

export const OrganizationList = t.Array(Organization, { $id: 'OrganizationList' })

const { username: _, ...editable } = CreateOrgOption.properties
export const EditOrgOption = t.Object(editable, { $id: 'EditOrgOption' })

export const RenameOrgOption = t.Object({ new_name: t.String({ minLength: 1, maxLength: 40 }) }, { $id: 'RenameOrgOption' })

export const OrganizationPermissions = t.Object(
  {
    is_owner: t.Boolean(),
    is_admin: t.Boolean(),
    can_write: t.Boolean(),
    can_read: t.Boolean(),
    can_create_repository: t.Boolean(),
  },
  { $id: 'OrganizationPermissions' },
)

/** The path of every route under an organization. */
export const OrgMemberParams = t.Object({ ...OrgParams.properties, username: t.String({ description: 'username of the user' }) })
