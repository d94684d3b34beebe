import { Elysia, t } from 'elysia'
import { gate, type Member, requireUser } from '../access/index.ts'
import type { Context } from '../context.ts'
import { OrgParams } from '../orgs/index.ts'
import { RepoParams } from '../repos/index.ts'
import { removeAvatar, uploadAvatar } from './change-avatar.ts'
import { UpdateRepoAvatarOption, UpdateUserAvatarOption } from './schema.ts'
import type { Holder } from './store.ts'

const detail = (operationId: string, summary: string, tag: string) => ({ operationId, summary, tags: [tag] })
const response = { 204: t.Void() }

/** Pictures that people choose for themselves, their organizations and repositories. */
export function avatars(context: Context) {
  return new Elysia({ name: 'avatars' }).use(ofUser(context)).use(ofOrg(context)).use(ofRepo(context))
}

function ofUser(context: Context) {
  return new Elysia({ name: 'avatars.user' })
    .use(gate(context))
    .post(
      '/user/avatar',
      async ({ viewer, body, set }) => {
        await uploadAvatar(context, viewer.user, self(viewer), body.image)
        set.status = 204
      },
      { signedIn: 'user', body: UpdateUserAvatarOption, response, detail: detail('userUpdateAvatar', "Update the authenticated user's avatar", 'user') },
    )
    .delete(
      '/user/avatar',
      ({ viewer, set }) => {
        removeAvatar(context, self(viewer))
        set.status = 204
      },
      { signedIn: 'user', response, detail: detail('userDeleteAvatar', "Delete the authenticated user's avatar", 'user') },
    )
}

function ofOrg(context: Context) {
  return new Elysia({ name: 'avatars.org' })
    .use(gate(context))
    .post(
      '/orgs/:org/avatar',
      async ({ viewer, org, body, set }) => {
        await uploadAvatar(context, requireUser(viewer).user, { table: 'user', id: org.row.id }, body.image)
        set.status = 204
      },
      {
        org: 'owner',
        params: OrgParams,
        body: UpdateUserAvatarOption,
        response,
        detail: detail('orgUpdateAvatar', "Update an organization's avatar", 'organization'),
      },
    )
    .delete(
      '/orgs/:org/avatar',
      ({ org, set }) => {
        removeAvatar(context, { table: 'user', id: org.row.id })
        set.status = 204
      },
      { org: 'owner', params: OrgParams, response, detail: detail('orgDeleteAvatar', "Delete an organization's avatar", 'organization') },
    )
}

function ofRepo(context: Context) {
  return new Elysia({ name: 'avatars.repo' })
    .use(gate(context))
    .post(
      '/repos/:owner/:repo/avatar',
      async ({ viewer, repo, body, set }) => {
        await uploadAvatar(context, requireUser(viewer).user, { table: 'repository', id: repo.row.id }, body.image)
        set.status = 204
      },
      {
        repo: 'admin',
        params: RepoParams,
        body: UpdateRepoAvatarOption,
        response,
        detail: detail('repoUpdateAvatar', "Update a repository's avatar", 'repository'),
      },
    )
    .delete(
      '/repos/:owner/:repo/avatar',
      ({ repo, set }) => {
        removeAvatar(context, { table: 'repository', id: repo.row.id })
        set.status = 204
      },
      { repo: 'admin', params: RepoParams, response, detail: detail('repoDeleteAvatar', "Delete a repository's avatar", 'repository') },
    )
}

function self(viewer: Member): Holder {
  return { table: 'user', id: viewer.user.id }
}
