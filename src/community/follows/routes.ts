import { Elysia, t } from 'elysia'
import { gate, getAccount, PageQuery, PersonParams, paging, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { follow, unfollow } from './change-follows.ts'
import { isFollowing, listFollowed, listFollowers } from './store.ts'

const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['user'] })
const AccountParams = PersonParams
const TargetParams = t.Object({ ...AccountParams.properties, target: t.String({ description: 'username of the followed user' }) })

/** Who follows whom; organizations are followed too. */
export function follows(context: Context) {
  return new Elysia({ name: 'follows' }).use(ownFollows(context)).use(othersFollows(context))
}

function ownFollows(context: Context) {
  const list = listOf(context)
  return new Elysia({ name: 'follows.own' })
    .use(gate(context))
    .use(paging(context))
    .get('/user/followers', ({ viewer, page, total }) => list(viewer, listFollowers(context.db, viewer, viewer.user.id, page), total), {
      signedIn: 'user',
      list: true,
      query: PageQuery,
      response: { 200: UserList },
      detail: detail('userCurrentListFollowers', "List the authenticated user's followers"),
    })
    .get('/user/following', ({ viewer, page, total }) => list(viewer, listFollowed(context.db, viewer, viewer.user.id, page), total), {
      signedIn: 'user',
      list: true,
      query: PageQuery,
      response: { 200: UserList },
      detail: detail('userCurrentListFollowing', 'List the users that the authenticated user is following'),
    })
    .get(
      '/user/following/:username',
      ({ viewer, params, set }) => {
        requireFollow(context, viewer.user, getAccount(context.db, viewer, params.username))
        set.status = 204
      },
      {
        signedIn: 'user',
        params: AccountParams,
        response: { 204: t.Void() },
        detail: detail('userCurrentCheckFollowing', 'Check whether a user is followed by the authenticated user'),
      },
    )
    .put(
      '/user/following/:username',
      ({ viewer, params, set }) => {
        follow(context, viewer, params.username)
        set.status = 204
      },
      { signedIn: 'user', params: AccountParams, response: { 204: t.Void() }, detail: detail('userCurrentPutFollow', 'Follow a user') },
    )
    .delete(
      '/user/following/:username',
      ({ viewer, params, set }) => {
        unfollow(context, viewer, params.username)
        set.status = 204
      },
      { signedIn: 'user', params: AccountParams, response: { 204: t.Void() }, detail: detail('userCurrentDeleteFollow', 'Unfollow a user') },
    )
}

function othersFollows(context: Context) {
  const list = listOf(context)
  return new Elysia({ name: 'follows.others' })
    .use(gate(context))
    .use(paging(context))
    .get('/users/:username/followers', ({ viewer, person, page, total }) => list(viewer, listFollowers(context.db, viewer, person.id, page), total), {
      person: 'visibleOrOrg',
      list: true,
      params: AccountParams,
      query: PageQuery,
      response: { 200: UserList },
      detail: detail('userListFollowers', "List the given user's followers"),
    })
    .get('/users/:username/following', ({ viewer, person, page, total }) => list(viewer, listFollowed(context.db, viewer, person.id, page), total), {
      person: 'visibleOrOrg',
      list: true,
      params: AccountParams,
      query: PageQuery,
      response: { 200: UserList },
      detail: detail('userListFollowing', 'List the users that the given user is following'),
    })
    .get(
      '/users/:username/following/:target',
      ({ viewer, person, params, set }) => {
        requireFollow(context, person, getAccount(context.db, viewer, params.target))
        set.status = 204
      },
      {
        person: 'visibleOrOrg',
        params: TargetParams,
        response: { 204: t.Void() },
        detail: detail('userCheckFollowing', 'Check if one user is following another user'),
      },
    )
}

/** Records of a page of accounts. */
function listOf(context: Context) {
  return (viewer: Viewer, found: { rows: UserRow[]; total: number }, total: (count: number) => void) => {
    total(found.total)
    return found.rows.map((row) => presentUser(context, viewer, row))
  }
}

/** @throws NotFound when the one does not follow the other */
function requireFollow(context: Context, follower: UserRow, followed: UserRow): void {
  if (!isFollowing(context.db, follower.id, followed.id)) throw new NotFound()
}
