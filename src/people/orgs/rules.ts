import type { Static } from 'elysia'
import {
  accessStore,
  atLeast,
  higher,
  isSelf,
  isSiteAdmin,
  type Level,
  levels,
  type Member,
  mayCreateOrgs,
  mayCreateRepoIn,
  type OrgAccess,
  type UserRow,
} from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { Forbidden } from '#kernel/errors.ts'
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

/** What someone may do in an organization tells whether they belong to it. @throws Forbidden for who is neither in it nor the person */
export function refuseAskingAboutOthers(db: Db, viewer: Member, org: UserRow, person: UserRow): void {
  if (isSelf(viewer, person) || isSiteAdmin(viewer) || accessStore.findOrgRole(db, org.id, viewer.user.id)) return
  throw new Forbidden('Must be an organization member')
}

/** @throws Forbidden for people whom an administrator lets create none */
export function requireOrgCreator(user: UserRow): void {
  if (!mayCreateOrgs(user)) throw new Forbidden('not allowed to create org')
}

/** Members show or conceal their own membership, owners everybody's. @throws Forbidden for others */
export function refuseShowingOthers(viewer: Member, org: OrgAccess, user: UserRow, isPublic: boolean): void {
  if (!isSelf(viewer, user) && org.role !== 'owner') throw new Forbidden(`Cannot ${isPublic ? 'publicize' : 'conceal'} another member`)
}

/** Who is in an organization may leave it; owners see others out. @throws Forbidden for others */
export function refuseDismissingOthers(viewer: Member, org: OrgAccess, user: UserRow): void {
  if (!isSelf(viewer, user) && org.role !== 'owner') throw new Forbidden('Must be an organization owner')
}
