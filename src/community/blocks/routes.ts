import { Elysia } from 'elysia'
import { gate, type Member, noContent, OrgParams, operation, PageQuery, paging, requireUser, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { block, getBlockable, unblock } from './change-blocks.ts'
import { forgejoBlocks } from './forgejo-routes.ts'
import { BlockParams, BlockQuery, OrgBlockParams } from './schema.ts'
import { hasBlock, listBlocked } from './store.ts'

/** Whom people and organizations keep away: under Gitea's addresses, and under Forgejo's. */
export function blocks(context: Context) {
  return new Elysia({ name: 'blocks' }).use(ofViewer(context)).use(ofOrgs(context)).use(forgejoBlocks(context))
}

function ofViewer(context: Context) {
  return new Elysia({ name: 'blocks.viewer' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/user/blocks',
      async ({ viewer, page, total }) => {
        const found = await listBlocked(context.db, viewer, viewer.user.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('userListBlocks', 'List users blocked by the authenticated user', 'user'),
      },
    )
    .get('/user/blocks/:username', ({ viewer, params }) => requireBlock(context, viewer, viewer.user, params.username), {
      signedIn: 'user',
      params: BlockParams,
      response: noContent,
      detail: operation('userCheckUserBlock', 'Check if a user is blocked by the authenticated user', 'user'),
    })
    .put('/user/blocks/:username', ({ viewer, params, query }) => blockOnce(context, viewer, viewer.user, params.username, query.note), {
      signedIn: 'user',
      params: BlockParams,
      query: BlockQuery,
      response: noContent,
      detail: operation('userBlockUser', 'Block a user', 'user'),
    })
    .delete('/user/blocks/:username', ({ viewer, params }) => unblockOnce(context, viewer, viewer.user, params.username), {
      signedIn: 'user',
      params: BlockParams,
      response: noContent,
      detail: operation('userUnblockUser', 'Unblock a user', 'user'),
    })
}

function ofOrgs(context: Context) {
  return new Elysia({ name: 'blocks.orgs' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/blocks',
      async ({ viewer, org, page, total }) => {
        const found = await listBlocked(context.db, viewer, org.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'owner',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('organizationListBlocks', 'List users blocked by the organization', 'organization'),
      },
    )
    .get('/orgs/:org/blocks/:username', ({ viewer, org, params }) => requireBlock(context, requireUser(viewer), org.row, params.username), {
      org: 'owner',
      params: OrgBlockParams,
      response: noContent,
      detail: operation('organizationCheckUserBlock', 'Check if a user is blocked by the organization', 'organization'),
    })
    .put('/orgs/:org/blocks/:username', ({ viewer, org, params, query }) => blockOnce(context, requireUser(viewer), org.row, params.username, query.note), {
      org: 'owner',
      params: OrgBlockParams,
      query: BlockQuery,
      response: noContent,
      detail: operation('organizationBlockUser', 'Block a user', 'organization'),
    })
    .delete('/orgs/:org/blocks/:username', ({ viewer, org, params }) => unblockOnce(context, requireUser(viewer), org.row, params.username), {
      org: 'owner',
      params: OrgBlockParams,
      response: noContent,
      detail: operation('organizationUnblockUser', 'Unblock a user', 'organization'),
    })
}

/** @throws NotFound for who is not blocked */
function requireBlock(context: Pick<Context, 'db'>, viewer: Member, blocker: UserRow, name: string): void {
  if (!hasBlock(context.db, blocker.id, getBlockable(context.db, viewer, blocker, name).id)) throw new NotFound()
}

/** @throws Unprocessable for who is blocked already, and as `block` does */
function blockOnce(context: Pick<Context, 'clock' | 'db' | 'jobs' | 'services'>, viewer: Member, blocker: UserRow, name: string, note = ''): void {
  if (!block(context, viewer, blocker, name, note)) throw new Unprocessable(`cannot block the user: ${name} is blocked already`)
}

/** @throws Unprocessable for who is not blocked, and as `unblock` does */
function unblockOnce(context: Pick<Context, 'db'>, viewer: Member, blocker: UserRow, name: string): void {
  if (!unblock(context.db, viewer, blocker, name)) throw new Unprocessable(`cannot unblock the user: ${name} is not blocked`)
}
