import { Elysia } from 'elysia'
import { gate, noContent, OrgParams, operation, PageQuery, paging, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { block, unblock } from './change-blocks.ts'
import { BlockedUserList, BlockParams, OrgBlockParams } from './schema.ts'
import { listBlocked } from './store.ts'
import { presentBlocked } from './view.ts'

/** The same blocks as Forgejo's clients know them: a block or its end that changes nothing is no error here. */
export function forgejoBlocks(context: Context) {
  return new Elysia({ name: 'blocks.forgejo' }).use(ofViewer(context)).use(ofOrgs(context))
}

function ofViewer(context: Context) {
  return new Elysia({ name: 'blocks.forgejo.viewer' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/list_blocked',
      async ({ viewer, page, total }) => {
        const found = await listBlocked(context.db, viewer, viewer.user.id, page)
        total(found.total)
        return found.rows.map(presentBlocked)
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: BlockedUserList },
        detail: operation('userListBlockedUsers', "List the authenticated user's blocked users", 'user'),
      },
    )
    .put(
      '/user/block/:username',
      ({ viewer, params }) => {
        block(context, viewer, viewer.user, params.username, '')
      },
      {
        signedIn: 'user',
        params: BlockParams,
        response: noContent,
        detail: operation('userPutBlock', "Block a user, at Forgejo's address", 'user'),
      },
    )
    .put(
      '/user/unblock/:username',
      ({ viewer, params }) => {
        unblock(context.db, viewer, viewer.user, params.username)
      },
      {
        signedIn: 'user',
        params: BlockParams,
        response: noContent,
        detail: operation('userPutUnblock', "Unblock a user, at Forgejo's address", 'user'),
      },
    )
}

function ofOrgs(context: Context) {
  return new Elysia({ name: 'blocks.forgejo.orgs' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/list_blocked',
      async ({ viewer, org, page, total }) => {
        const found = await listBlocked(context.db, viewer, org.row.id, page)
        total(found.total)
        return found.rows.map(presentBlocked)
      },
      {
        org: 'owner',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: BlockedUserList },
        detail: operation('orgListBlockedUsers', "List the organization's blocked users", 'organization'),
      },
    )
    .put(
      '/orgs/:org/block/:username',
      ({ viewer, org, params }) => {
        block(context, requireUser(viewer), org.row, params.username, '')
      },
      {
        org: 'owner',
        params: OrgBlockParams,
        response: noContent,
        detail: operation('orgBlockUser', 'Blocks a user from the organization', 'organization'),
      },
    )
    .put(
      '/orgs/:org/unblock/:username',
      ({ viewer, org, params }) => {
        unblock(context.db, requireUser(viewer), org.row, params.username)
      },
      {
        org: 'owner',
        params: OrgBlockParams,
        response: noContent,
        detail: operation('orgUnblockUser', 'Unblock a user from the organization', 'organization'),
      },
    )
}
