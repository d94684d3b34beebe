import { Elysia, t } from 'elysia'
import {
  gate,
  isSelf,
  type Member,
  noContent,
  type OrgAccess,
  OrgParams,
  operation,
  PageQuery,
  paging,
  requireUser,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { dismissMember, showMembership } from './change-members.ts'
import { findMember, listMembers } from './member-store.ts'
import { getFellow, getVisiblePerson } from './people.ts'
import { OrgMemberParams } from './schema.ts'

/** Who belongs to an organization, and who may know of it. */
export function members(context: Context) {
  return new Elysia({ name: 'orgs.members' }).use(allMembers(context)).use(publicMembers(context))
}

function allMembers(context: Context) {
  return new Elysia({ name: 'orgs.members.all' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/members',
      async ({ viewer, org, page, total }) => {
        requireUser(viewer)
        const found = await listMembers(context.db, org.row.id, viewer, org.role === 'outsider' ? 'all' : 'insiders', page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('orgListMembers', "List an organization's members", 'organization'),
      },
    )
    .get(
      '/orgs/:org/members/:username',
      ({ viewer, org, params, set }) => {
        if (!isMemberTo(context, requireUser(viewer), org, params.username)) {
          set.status = 303
          set.headers.location = publicAddress(context, org.row, params.username)
        }
      },
      {
        org: 'visible',
        params: OrgMemberParams,
        response: { ...noContent, 303: t.Void() },
        detail: operation('orgIsMember', 'Check if a user is a member of an organization', 'organization'),
      },
    )
    .delete(
      '/orgs/:org/members/:username',
      ({ viewer, org, params }) => dismissMember(context, org.row, getFellow(context.db, viewer, org.row.id, params.username)),
      {
        org: 'owner',
        params: OrgMemberParams,
        response: noContent,
        detail: operation('orgDeleteMember', 'Remove a member from an organization', 'organization'),
      },
    )
}

function publicMembers(context: Context) {
  const show = (viewer: Viewer, org: OrgAccess, name: string, isPublic: boolean) =>
    showMembership(context, requireUser(viewer), org, getFellow(context.db, viewer, org.row.id, name), isPublic)
  return new Elysia({ name: 'orgs.members.public' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/public_members',
      async ({ viewer, org, page, total }) => {
        const found = await listMembers(context.db, org.row.id, viewer, 'all', page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('orgListPublicMembers', "List an organization's public members", 'organization'),
      },
    )
    .get(
      '/orgs/:org/public_members/:username',
      ({ viewer, org, params }) => {
        const user = getVisiblePerson(context.db, viewer, params.username)
        if (findMember(context.db, org.row.id, user.id)?.is_public !== 1) throw new NotFound()
      },
      {
        org: 'visible',
        params: OrgMemberParams,
        response: noContent,
        detail: operation('orgIsPublicMember', 'Check if a user is a public member of an organization', 'organization'),
      },
    )
    .put('/orgs/:org/public_members/:username', ({ viewer, org, params }) => show(viewer, org, params.username, true), {
      org: 'member',
      params: OrgMemberParams,
      response: noContent,
      detail: operation('orgPublicizeMember', "Publicize a user's membership", 'organization'),
    })
    .delete('/orgs/:org/public_members/:username', ({ viewer, org, params }) => show(viewer, org, params.username, false), {
      org: 'member',
      params: OrgMemberParams,
      response: noContent,
      detail: operation('orgConcealMember', "Conceal a user's membership", 'organization'),
    })
}

/** False when the viewer is no member and may only ask for public memberships. @throws NotFound when the person is no member */
function isMemberTo(context: Pick<Context, 'db'>, viewer: Member, org: OrgAccess, name: string): boolean {
  if (org.role !== 'outsider') {
    if (!findMember(context.db, org.row.id, getFellow(context.db, viewer, org.row.id, name).id)) throw new NotFound()
    return true
  }
  if (isSelf(viewer, getVisiblePerson(context.db, viewer, name))) throw new NotFound()
  return false
}

function publicAddress({ rootUrl }: Pick<Context, 'rootUrl'>, org: UserRow, name: string): string {
  return `${new URL(rootUrl).pathname}api/v1/orgs/${encodeURIComponent(org.name)}/public_members/${encodeURIComponent(name)}`
}
