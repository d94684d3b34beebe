import { t } from 'elysia'
import { levels } from '#access/index.ts'
import { oneOf } from '#kernel/schema.ts'
import { User } from '#people/users/index.ts'

export const AddCollaboratorOption = t.Object(
  { permission: t.Optional(oneOf(['read', 'write', 'admin'], { error: 'must be read, write or admin', description: 'Default: write' })) },
  { $id: 'AddCollaboratorOption' },
)

export const RepoCollaboratorPermission = t.Object({ permission: oneOf(levels), role_name: t.String(), user: User }, { $id: 'RepoCollaboratorPermission' })
