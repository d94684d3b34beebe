import { Elysia, t } from 'elysia'
import { gate, type Member, OrgParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { removeAvatar, uploadAvatar } from './change-avatar.ts'
import { UpdateUserAvatarOption } from './schema.ts'
import type { Holder } from './store.ts'

const detail = (operationId: string, summary: string, tag: string) => ({ operationId, summary, tags: [tag] })
const response = { 204: t.Void() }

/** Pictures that people choose for themselves, and for their organizations. */
export function avatars(context: Context) {
  return new Elysia({ name: 'avatars' }).use(ofUser(context)).use(ofOrg(context))
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

function self(viewer: Member): Holder {
  return { table: 'user', id: viewer.user.id }
}
