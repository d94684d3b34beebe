import { Elysia } from 'elysia'
import {
  accessStore,
  canSeeOrg,
  gate,
  operation,
  PageQuery,
  PersonParams,
  paging,
  requireScope,
  requireUser,
  type UserRow,
  type Viewer,
} from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { permissionsIn, refuseAskingAboutOthers } from './rules.ts'
import { OrganizationList, OrganizationPermissions, OrgMemberParams } from './schema.ts'
import { listOrgs } from './store.ts'
import { presentOrg } from './view.ts'

/** The organizations of a person, and what they may do there. */
export function ofPeople(context: Context) {
  return new Elysia({ name: 'orgs.people' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/orgs',
      async ({ viewer, page, total }) => {
        const found = await listOrgs(context.db, viewer, page, viewer.user.id)
        total(found.total)
        return found.rows.map((row) => presentOrg(context, row))
      },
      {
        signedIn: ['user', 'organization'],
        list: true,
        query: PageQuery,
        response: { 200: OrganizationList },
        detail: operation('orgListCurrentUserOrgs', "List the current user's organizations", 'organization'),
      },
    )
    .get(
      '/users/:username/orgs',
      async ({ viewer, person, page, total }) => {
        requireScope(requireUser(viewer), ['organization'], 'read')
        const found = await listOrgs(context.db, viewer, page, person.id)
        total(found.total)
        return found.rows.map((row) => presentOrg(context, row))
      },
      {
        person: 'visible',
        list: true,
        params: PersonParams,
        query: PageQuery,
        response: { 200: OrganizationList },
        detail: operation('orgListUserOrgs', "List a user's organizations", 'organization'),
      },
    )
    .get(
      '/users/:username/orgs/:org/permissions',
      ({ viewer, person, params }) => {
        requireScope(requireUser(viewer), ['organization'], 'read')
        const org = getVisibleOrg(context, viewer, params.org)
        refuseAskingAboutOthers(context.db, requireUser(viewer), org, person)
        return permissionsIn(context.db, org, person)
      },
      {
        person: 'visible',
        params: OrgMemberParams,
        response: { 200: OrganizationPermissions },
        detail: operation('orgGetUserPermissions', 'Get user permissions in organization', 'organization'),
      },
    )
}

function getVisibleOrg(context: Pick<Context, 'db'>, viewer: Viewer, name: string): UserRow {
  const found = accessStore.findUserByName(context.db, name)
  if (found?.kind !== 'organization' || !canSeeOrg(context.db, viewer, found)) throw new NotFound()
  return found
}
