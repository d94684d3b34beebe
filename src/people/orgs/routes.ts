import { Elysia, type Static } from 'elysia'
import { anonymous, gate, noContent, OrgParams, operation, PageQuery, paging, readsPublicOrgsOnly, refuseHiding, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { mayReleaseNames, renameUser } from '#people/users/index.ts'
import { createOrg } from './create-org.ts'
import { deleteOrg } from './delete-org.ts'
import { editOrg } from './edit-org.ts'
import { members } from './member-routes.ts'
import { ofPeople } from './people-routes.ts'
import { requireOrgCreator } from './rules.ts'
import { CreateOrgOption, EditOrgOption, Organization, OrganizationList, RenameOrgOption } from './schema.ts'
import { findOrgById, listOrgs, type OrgRow } from './store.ts'
import { presentOrg } from './view.ts'

/** Organizations: themselves, their members, their repositories. */
export function orgs(context: Context) {
  return new Elysia({ name: 'orgs' }).use(themselves(context)).use(members(context)).use(ofPeople(context))
}

function themselves(context: Context) {
  const present = (viewer: Viewer, row: OrgRow) => presentOrg(context, row, viewer.user === undefined)
  return new Elysia({ name: 'orgs.themselves' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs',
      async ({ viewer, page, total }) => {
        const found = await listOrgs(context.db, readsPublicOrgsOnly(viewer) ? anonymous : viewer, page)
        total(found.total)
        return found.rows.map((row) => present(viewer, row))
      },
      {
        anyone: [],
        list: true,
        query: PageQuery,
        response: { 200: OrganizationList },
        detail: operation('orgGetAll', 'List all organizations', 'organization'),
      },
    )
    .post(
      '/orgs',
      ({ viewer, body }) => {
        requireOrgCreator(viewer.user)
        refuseHiding(viewer, isHidden(body))
        const org = createOrg(context, viewer.user, body, mayReleaseNames(viewer))
        return presentOrg(context, org)
      },
      {
        signedIn: 'organization',
        body: CreateOrgOption,
        response: { 201: Organization },
        detail: { ...operation('orgCreate', 'Create an organization', 'organization'), errors: [409] },
      },
    )
    .get('/orgs/:org', ({ viewer, org }) => present(viewer, findOrgById(context.db, org.row.id) as OrgRow), {
      org: 'visible',
      params: OrgParams,
      response: { 200: Organization },
      detail: operation('orgGet', 'Get an organization', 'organization'),
    })
    .patch(
      '/orgs/:org',
      ({ viewer, org, body }) => {
        refuseHiding(viewer, isHidden(body))
        return presentOrg(context, editOrg(context, org.row, body))
      },
      {
        org: 'owner',
        params: OrgParams,
        body: EditOrgOption,
        response: { 200: Organization },
        detail: operation('orgEdit', 'Edit an organization', 'organization'),
      },
    )
    .delete('/orgs/:org', ({ org }) => deleteOrg(context, org.row), {
      org: 'owner',
      params: OrgParams,
      response: noContent,
      detail: operation('orgDelete', 'Delete an organization', 'organization'),
    })
    .post('/orgs/:org/rename', ({ org, body }) => renameUser(context, org.row, body.new_name), {
      org: 'owner',
      params: OrgParams,
      body: RenameOrgOption,
      response: noContent,
      detail: operation('renameOrg', 'Rename an organization', 'organization'),
    })
}

function isHidden({ visibility }: Static<typeof EditOrgOption>): boolean {
  return visibility === 'limited' || visibility === 'private'
}
