import { Elysia, t } from 'elysia'
import { gate, getAccount, noContent, operation, PageQuery, PersonParams, paging, type UserRow, type Viewer } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { follow, unfollow } from './change-follows.ts'
import { isFollowing, listFollowed, listFollowers } from './store.ts'

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
    .get('/user/followers', async ({ viewer, page, total }) => list(viewer, await listFollowers(context.db, viewer, viewer.user.id, page), total), {
      signedIn: 'user',
      list: true,
      query: PageQuery,
      response: { 200: UserList },
      detail: operation('userCurrentListFollowers', "List the authenticated user's followers", 'user'),
    })
    .get('/user/following', async ({ viewer, page, total }) => list(viewer, await listFollowed(context.db, viewer, viewer.user.id, page), total), {
      signedIn: 'user',
      list: true,
      query: PageQuery,
      response: { 200: UserList },
      detail: operation('userCurrentListFollowing', 'List the users that the authenticated user is following', 'user'),
    })
    .get('/user/following/:username', ({ viewer, params }) => requireFollow(context, viewer.user, getAccount(context.db, viewer, params.username)), {
      signedIn: 'user',
      params: AccountParams,
      response: noContent,
      detail: operation('userCurrentCheckFollowing', 'Check whether a user is followed by the authenticated user', 'user'),
    })
    .put('/user/following/:username', ({ viewer, params }) => follow(context, viewer, params.username), {
      signedIn: 'user',
      params: AccountParams,
      response: noContent,
      detail: operation('userCurrentPutFollow', 'Follow a user', 'user'),
    })
    .delete('/user/following/:username', ({ viewer, params }) => unfollow(context, viewer, params.username), {
      signedIn: 'user',
      params: AccountParams,
      response: noContent,
      detail: operation('userCurrentDeleteFollow', 'Unfollow a user', 'user'),
    })
}

function othersFollows(context: Context) {
  const list = listOf(context)
  return new Elysia({ name: 'follows.others' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/users/:username/followers',
      async ({ viewer, person, page, total }) => list(viewer, await listFollowers(context.db, viewer, person.id, page), total),
      {
        person: 'visibleOrOrg',
        list: true,
        params: AccountParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('userListFollowers', "List the given user's followers", 'user'),
      },
    )
    .get(
      '/users/:username/following',
      async ({ viewer, person, page, total }) => list(viewer, await listFollowed(context.db, viewer, person.id, page), total),
      {
        person: 'visibleOrOrg',
        list: true,
        params: AccountParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('userListFollowing', 'List the users that the given user is following', 'user'),
      },
    )
    .get('/users/:username/following/:target', ({ viewer, person, params }) => requireFollow(context, person, getAccount(context.db, viewer, params.target)), {
      person: 'visibleOrOrg',
      params: TargetParams,
      response: noContent,
      detail: operation('userCheckFollowing', 'Check if one user is following another user', 'user'),
    })
}

/** Records of a page of accounts. */
function listOf(context: Pick<Context, 'rootUrl'>) {
  return (viewer: Viewer, found: { rows: UserRow[]; total: number }, total: (count: number) => void) => {
    total(found.total)
    return found.rows.map((row) => presentUser(context, viewer, row))
  }
}

/** @throws NotFound when the one does not follow the other */
function requireFollow(context: Pick<Context, 'db'>, follower: UserRow, followed: UserRow): void {
  if (!isFollowing(context.db, follower.id, followed.id)) throw new NotFound()
}
