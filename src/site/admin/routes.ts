import { Elysia, type Static, t } from 'elysia'
import { gate, IdText, type Member, noContent, operation, PageQuery, paging, recheckAccount, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { Unprocessable } from '#kernel/errors.ts'
import { flagIn } from '#kernel/http.ts'
import { rowIdIn } from '#kernel/ids.ts'
import { addPublicKey, CreateKeyOption, deletePublicKey, PublicKey, presentPublicKey } from '#people/keys/index.ts'
import { CreateOrgOption, createOrg, listOrgs, Organization, OrganizationList, presentOrg } from '#people/orgs/index.ts'
import { createUser, presentUser, renameUser, User, UserList } from '#people/users/index.ts'
import { CreateRepoOption, createFromBody, presentRepoRow, Repository } from '#repositories/repos/index.ts'
import { cron } from './cron-routes.ts'
import { deleteUser } from './delete-user.ts'
import { editUser, refusePlace } from './edit-user.ts'
import { addresses } from './email-routes.ts'
import { listAccounts } from './list-accounts.ts'
import { getTargetAccount, getTargetPerson, Username } from './people.ts'
import { AdminUserQuery, CreateUserOption, EditUserOption, RenameUserOption } from './schema.ts'
import { tokensOfOthers } from './token-routes.ts'
import { welcomeLetter } from './welcome.ts'

/** What site administrators do, with other people's accounts above all. */
export function admin(context: Context) {
  return new Elysia({ name: 'admin' })
    .use(accounts(context))
    .use(keys(context))
    .use(belongings(context))
    .use(addresses(context))
    .use(tokensOfOthers(context))
    .use(cron(context))
}

function accounts(context: Context) {
  return new Elysia({ name: 'admin.accounts' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/admin/users',
      ({ viewer, query, page, total }) => {
        const found = listAccounts(context.db, query, page)
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
      async ({ viewer, params, query, request }) => {
        const user = getTargetPerson(context.db, { viewer, params, request })
        if (user.id === viewer.user.id) throw new Unprocessable('you cannot delete yourself')
        await deleteUser(context, user, { actor: viewer.user, purge: flagIn(query.purge) })
      },
      {
        siteAdmin: 'admin',
        params: Username,
        query: t.Object({ purge: t.Optional(t.String({ description: 'delete what the user owns too (true or false)' })) }),
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
        params: t.Object({ ...Username.properties, id: IdText('id of the key to delete') }),
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
      ({ viewer, page, total }) => {
        const found = listOrgs(context.db, viewer, page)
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
        const org = createOrg(context, getTargetPerson(context.db, { viewer, params, request }), body)
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

function createAccount(context: Context, { user: actor }: Member, body: Static<typeof CreateUserOption>): Promise<UserRow> {
  const loginSource = body.source_id ?? 0
  const loginName = body.login_name || (loginSource === 0 ? '' : body.username)
  refusePlace(context.db, { sourceId: loginSource, loginName })
  const input = {
    username: body.username,
    email: body.email,
    // Whoever signs in elsewhere has their password there.
    password: loginSource === 0 ? body.password || undefined : undefined,
    fullName: body.full_name,
    isRestricted: body.restricted,
    mustChangePassword: loginSource === 0 && (body.must_change_password ?? true),
    loginSource,
    loginName,
    visibility: body.visibility || undefined,
    createdAt: body.created_at === undefined ? undefined : Math.floor(Date.parse(body.created_at) / 1000),
  }
  return createUser(context, input, (tx, user) => {
    recheckAccount(tx, actor)
    if (body.send_notify) context.mail.queue(tx, user, welcomeLetter(context, user))
  })
}
