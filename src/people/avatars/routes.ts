import { Elysia } from 'elysia'
import { gate, type Member, noContent, OrgParams, operation, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { removeAvatar, uploadAvatar } from './change-avatar.ts'
import { pictureBodyLimit, UpdateUserAvatarOption } from './schema.ts'
import type { AvatarOwner } from './store.ts'

/** Pictures that people choose for themselves, and for their organizations. */
export function avatars(context: Context) {
  return new Elysia({ name: 'avatars' }).use(ofUser(context)).use(ofOrg(context))
}

function ofUser(context: Context) {
  return new Elysia({ name: 'avatars.user' })
    .use(gate(context))
    .post('/user/avatar', ({ viewer, body }) => uploadAvatar(context, viewer.user, self(viewer), body.image), {
      signedIn: 'user',
      bodyLimit: pictureBodyLimit(context.config),
      body: UpdateUserAvatarOption,
      response: noContent,
      detail: operation('userUpdateAvatar', "Update the authenticated user's avatar", 'user'),
    })
    .delete('/user/avatar', ({ viewer }) => removeAvatar(context, self(viewer)), {
      signedIn: 'user',
      response: noContent,
      detail: operation('userDeleteAvatar', "Delete the authenticated user's avatar", 'user'),
    })
}

function ofOrg(context: Context) {
  return new Elysia({ name: 'avatars.org' })
    .use(gate(context))
    .post('/orgs/:org/avatar', ({ viewer, org, body }) => uploadAvatar(context, requireUser(viewer).user, { table: 'user', id: org.row.id }, body.image), {
      org: 'owner',
      params: OrgParams,
      bodyLimit: pictureBodyLimit(context.config),
      body: UpdateUserAvatarOption,
      response: noContent,
      detail: operation('orgUpdateAvatar', "Update an organization's avatar", 'organization'),
    })
    .delete('/orgs/:org/avatar', ({ org }) => removeAvatar(context, { table: 'user', id: org.row.id }), {
      org: 'owner',
      params: OrgParams,
      response: noContent,
      detail: operation('orgDeleteAvatar', "Delete an organization's avatar", 'organization'),
    })
}

function self(viewer: Member): AvatarOwner {
  return { table: 'user', id: viewer.user.id }
}
