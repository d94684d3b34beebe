import { Elysia, t } from 'elysia'
import { gate, IdText, noContent, operation, PageQuery, paging } from '#access/index.ts'
import type { Context } from '#context.ts'
import { flagIn } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addPublicKey, CreateKeyOption, deletePublicKey, PublicKey, presentPublicKey } from '#people/keys/index.ts'
import { CreateOrgOption, createOrg, listOrgs, Organization, OrganizationList, presentOrg } from '#people/orgs/index.ts'
import { presentUser, renameUser, User, UserList } from '#people/users/index.ts'
import { CreateRepoOption, createFromBody, presentRepoRow, Repository } from '#repositories/repos/index.ts'
import { createAccount } from './create-account.ts'
import { cron } from './cron-routes.ts'
import { deleteOther } from './delete-user.ts'
import { editUser } from './edit-user.ts'
import { addresses } from './email-routes.ts'
import { jobRoutes } from './job-routes.ts'
import { listAccounts } from './list-accounts.ts'
import { reservedNames } from './name-routes.ts'
import { getTargetAccount, getTargetPerson, Username } from './people.ts'
import { AdminUserQuery, CreateUserOption, EditUserOption, RenameUserOption } from './schema.ts'
import { tokensOfOthers } from './token-routes.ts'

/** What site administrators do, with other people's accounts above all. */
export function admin(context: Context) {
  return new Elysia({ name: 'admin' })
    .use(accounts(context))
    .use(keys(context))
    .use(belongings(context))
    .use(addresses(context))
    .use(tokensOfOthers(context))
    .use(reservedNames(context))
    .use(cron(context))
    .use(jobRoutes(context))
}

function accounts(context: Context) {
  return new Elysia({ name: 'admin.accounts' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/users',
      async ({ viewer, query, page, total }) => {
        const found = await listAccounts(context.db, viewer, query, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: AdminUserQuery,
        response: { 200: UserList },
        detail: operation('adminSearchUsers', 'Search users according filter conditions', 'admin'),
      },
    )
    .post(
      '/admin/users',
      async ({ viewer, body }) => {
        const user = await createAccount(context, viewer, body)
        return presentUser(context, viewer, user)
      },
      { siteAdmin: 'admin', body: CreateUserOption, response: { 201: User }, detail: operation('adminCreateUser', 'Create a user', 'admin') },
    )
    .patch(
      '/admin/users/:username',
      async ({ viewer, params, body, request }) => {
        const person = getTargetPerson(context.db, { viewer, params, request })
        return presentUser(context, viewer, await editUser(context, viewer.user, person, body))
      },
      {
        siteAdmin: 'admin',
        params: Username,
        body: EditUserOption,
        response: { 200: User },
        detail: { ...operation('adminEditUser', 'Edit an existing user', 'admin'), errors: [409] },
      },
    )
    .post(
      '/admin/users/:username/rename',
      ({ viewer, params, body, request }) => renameUser(context, getTargetPerson(context.db, { viewer, params, request }), body.new_username),
      { siteAdmin: 'admin', params: Username, body: RenameUserOption, response: noContent, detail: operation('adminRenameUser', 'Rename a user', 'admin') },
    )
    .delete(
      '/admin/users/:username',
      ({ viewer, params, query, request }) =>
        deleteOther(context, viewer, getTargetPerson(context.db, { viewer, params, request }), flagIn(query.purge) === true),
      {
        siteAdmin: 'admin',
        params: Username,
        query: t.Object({ purge: t.Optional(t.String({ description: 'delete repositories and other data of the user too (true or false)' })) }),
        response: noContent,
        detail: operation('adminDeleteUser', 'Delete a user', 'admin'),
      },
    )
}

function keys(context: Context) {
  return new Elysia({ name: 'admin.keys' })
    .use(gate(context))
    .post(
      '/admin/users/:username/keys',
      ({ viewer, params, body, request }) => {
        const owner = getTargetPerson(context.db, { viewer, params, request })
        const key = addPublicKey(context, owner, { title: body.title, key: body.key, readOnly: body.read_only === true })
        return presentPublicKey(context, viewer, owner, key)
      },
      {
        siteAdmin: 'admin',
        params: Username,
        body: CreateKeyOption,
        response: { 201: PublicKey },
        detail: operation('adminCreatePublicKey', 'Add a public key on behalf of a user', 'admin'),
      },
    )
    .delete(
      '/admin/users/:username/keys/:id',
      ({ viewer, params, request }) => deletePublicKey(context, getTargetPerson(context.db, { viewer, params, request }), rowIdIn(params.id)),
      {
        siteAdmin: 'admin',
        params: t.Object({ ...Username.properties, id: IdText('ID of the key to delete') }),
        response: noContent,
        detail: operation('adminDeleteUserPublicKey', "Delete a user's public key", 'admin'),
      },
    )
}

function belongings(context: Context) {
  return new Elysia({ name: 'admin.belongings' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/orgs',
      async ({ viewer, page, total }) => {
        const found = await listOrgs(context.db, viewer, page)
        total(found.total)
        return found.rows.map((row) => presentOrg(context, row))
      },
      {
        siteAdmin: 'admin',
        list: true,
        query: PageQuery,
        response: { 200: OrganizationList },
        detail: operation('adminGetAllOrgs', 'List all organizations', 'admin'),
      },
    )
    .post(
      '/admin/users/:username/orgs',
      ({ viewer, params, body, request }) => {
        const org = createOrg(context, getTargetPerson(context.db, { viewer, params, request }), body, true)
        return presentOrg(context, org)
      },
      {
        siteAdmin: 'admin',
        params: Username,
        body: CreateOrgOption,
        response: { 201: Organization },
        detail: { ...operation('adminCreateOrg', 'Create an organization', 'admin'), errors: [409] },
      },
    )
    .post(
      '/admin/users/:username/repos',
      async ({ viewer, params, body, request }) => {
        const repo = await createFromBody(context, { owner: getTargetAccount(context.db, { viewer, params, request }), viewer, body })
        return presentRepoRow(context, viewer, repo)
      },
      {
        siteAdmin: 'admin',
        params: Username,
        body: CreateRepoOption,
        response: { 201: Repository },
        detail: { ...operation('adminCreateRepo', 'Create a repository on behalf of a user', 'admin'), errors: [409] },
      },
    )
}
