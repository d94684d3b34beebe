import type { Static } from 'elysia'
import { atLeast, higher, type Level, levels, mayCreateRepoIn, type UserRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { listTeamPermissions } from './member-store.ts'
import type { OrganizationPermissions } from './schema.ts'

/** What a person's teams make of them in an organization. */
export function permissionsIn(db: Db, org: UserRow, user: UserRow): Static<typeof OrganizationPermissions> {
  const held = listTeamPermissions(db, org.id, user.id).map((one) => levels.find((level) => level === one) ?? 'none')
  const highest = user.is_admin === 1 ? 'owner' : held.reduce<Level>(higher, 'none')
  return {
    is_owner: highest === 'owner',
    is_admin: atLeast(highest, 'admin'),
    can_write: atLeast(highest, 'write'),
    can_read: atLeast(highest, 'read'),
    can_create_repository: mayCreateRepoIn(db, user, org),
  }
}
