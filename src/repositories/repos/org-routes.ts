import { Elysia, t } from 'elysia'
import { gate, noContent, type OrgAccess, OrgParams, operation, PageQuery, paging, requireScope, requireUser, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { createFromBody } from './create-from-body.ts'
import { startPurge } from './purge-repos.ts'
import { requireRepoCreator } from './rules.ts'
import { CreateRepoOption, Repository, RepositoryList } from './schema.ts'
import { searchRepos } from './search-store.ts'
import { presentRepoRow, presentRepoRows } from './view.ts'

/** The repositories of an organization: list and create, the latter at two addresses. */
export function orgRepos(context: Context) {
  const create = async (viewer: Viewer, org: OrgAccess, body: CreateRepoOption) => {
    const member = requireUser(viewer)
    requireRepoCreator(context.db, member, org.row)
    return presentRepoRow(context, viewer, await createFromBody(context, { owner: org.row, viewer: member, body }))
  }
  return new Elysia({ name: 'repos.of-org' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/repos',
      async ({ viewer, org, page, total }) => {
        const found = await searchRepos(context.db, viewer, { ownerId: org.row.id, sort: 'id' }, page)
        total(found.total)
        return presentRepoRows(context, viewer, found.rows)
      },
      {
        org: 'visible',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: RepositoryList },
        detail: operation('orgListRepos', "List an organization's repos", 'organization'),
      },
    )
    .post('/orgs/:org/repos', ({ viewer, org, body }) => create(viewer, org, body), {
      org: 'visible',
      params: OrgParams,
      body: CreateRepoOption,
      response: { 201: Repository },
      detail: { ...operation('createOrgRepoPlural', 'Create a repository in an organization', 'organization'), errors: [409] },
    })
    .delete(
      '/orgs/:org/repos',
      ({ viewer, org, set }) => {
        requireScope(viewer, ['repository'], 'write')
        set.status = startPurge(context, org.row, requireUser(viewer).user) ? 202 : 204
      },
      {
        org: 'owner',
        params: OrgParams,
        response: { 202: t.Void(), ...noContent },
        detail: operation('orgDeleteRepos', 'Delete all repositories in an organization, in the background', 'organization'),
      },
    )
    .post(
      '/org/:org/repos',
      ({ viewer, org, body }) => {
        requireScope(viewer, ['repository'], 'write')
        return create(viewer, org, body)
      },
      {
        org: 'visible',
        params: OrgParams,
        body: CreateRepoOption,
        response: { 201: Repository },
        detail: { ...operation('createOrgRepo', 'Create a repository in an organization', 'organization'), errors: [409] },
      },
    )
}
