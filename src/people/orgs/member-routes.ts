import { Elysia, t } from 'elysia'
import { gate, isSelf, type Member, type OrgAccess, OrgParams, PageQuery, paging, requireUser, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { dismissMember, showMembership } from './change-members.ts'
import { findMember, listMembers } from './member-store.ts'
import { getFellow, getPerson } from './people.ts'
import { OrgMemberParams } from './schema.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['organization'] })

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
      ({ viewer, org, page, total }) => {
        requireUser(viewer)
        const found = listMembers(context.db, org.row.id, viewer, org.role === 'outsider' ? 'all' : 'insiders', page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: detail('orgListMembers', "List an organization's members"),
      },
    )
    .get(
      '/orgs/:org/members/:username',
      ({ viewer, org, params, set }) => {
        if (!isMemberTo(context, requireUser(viewer), org, params.username)) {
          set.status = 303
          set.headers.location = publicAddress(context, org.row, params.username)
        } else set.status = 204
      },
      {
        org: 'visible',
        params: OrgMemberParams,
        response: { 204: t.Void(), 303: t.Void() },
        detail: detail('orgIsMember', 'Check if a user is a member of an organization'),
      },
    )
    .delete(
      '/orgs/:org/members/:username',
      ({ viewer, org, params, set }) => {
        dismissMember(context, org.row, getFellow(context.db, viewer, org.row.id, params.username))
        set.status = 204
      },
      { org: 'owner', params: OrgMemberParams, response: { 204: t.Void() }, detail: detail('orgDeleteMember', 'Remove a member from an organization') },
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
      ({ viewer, org, page, total }) => {
        const found = listMembers(context.db, org.row.id, viewer, 'all', page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: detail('orgListPublicMembers', "List an organization's public members"),
      },
    )
    .get(
      '/orgs/:org/public_members/:username',
      ({ viewer, org, params, set }) => {
        const user = getPerson(context.db, viewer, params.username)
        if (findMember(context.db, org.row.id, user.id)?.is_public !== 1) throw new NotFound()
        set.status = 204
      },
      {
        org: 'visible',
        params: OrgMemberParams,
        response: { 204: t.Void() },
        detail: detail('orgIsPublicMember', 'Check if a user is a public member of an organization'),
      },
    )
    .put(
      '/orgs/:org/public_members/:username',
      ({ viewer, org, params, set }) => {
        show(viewer, org, params.username, true)
        set.status = 204
      },
      { org: 'member', params: OrgMemberParams, response: { 204: t.Void() }, detail: detail('orgPublicizeMember', "Publicize a user's membership") },
    )
    .delete(
      '/orgs/:org/public_members/:username',
      ({ viewer, org, params, set }) => {
        show(viewer, org, params.username, false)
        set.status = 204
      },
      { org: 'member', params: OrgMemberParams, response: { 204: t.Void() }, detail: detail('orgConcealMember', "Conceal a user's membership") },
    )
}

/** False when the viewer is no member and may only ask for public memberships. @throws NotFound when the person is no member */
function isMemberTo(context: Context, viewer: Member, org: OrgAccess, name: string): boolean {
  if (org.role !== 'outsider') {
    if (!findMember(context.db, org.row.id, getFellow(context.db, viewer, org.row.id, name).id)) throw new NotFound()
    return true
  }
  if (isSelf(viewer, getPerson(context.db, viewer, name))) throw new NotFound()
  return false
}

function publicAddress({ rootUrl }: Context, org: UserRow, name: string): string {
  return `${new URL(rootUrl).pathname}api/v1/orgs/${encodeURIComponent(org.name)}/public_members/${encodeURIComponent(name)}`
}
