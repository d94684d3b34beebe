import { Elysia, t } from 'elysia'
import { gate, type Member, OrgParams, PageQuery, paging, requireUser, type UserRow } from '#access/index.ts'
import type { Context } from '#context.ts'
import { NotFound, Unprocessable } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { block, getBlockable, unblock } from './change-blocks.ts'
import { forgejoBlocks } from './forgejo-routes.ts'
import { BlockParams, BlockQuery, OrgBlockParams } from './schema.ts'
import { hasBlock, listBlocked } from './store.ts'

const detail = (operationId: string, summary: string, tag = 'user') => ({ operationId, summary, tags: [tag] })

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
      ({ viewer, page, total }) => {
        const found = listBlocked(context.db, viewer, viewer.user.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        signedIn: 'user',
        list: true,
        query: PageQuery,
        response: { 200: UserList },
        detail: detail('userListBlocks', 'List users blocked by the authenticated user'),
      },
    )
    .get(
      '/user/blocks/:username',
      ({ viewer, params, set }) => {
        requireBlock(context, viewer, viewer.user, params.username)
        set.status = 204
      },
      {
        signedIn: 'user',
        params: BlockParams,
        response: { 204: t.Void() },
        detail: detail('userCheckUserBlock', 'Check if a user is blocked by the authenticated user'),
      },
    )
    .put(
      '/user/blocks/:username',
      ({ viewer, params, query, set }) => {
        blockOnce(context, viewer, viewer.user, params.username, query.note)
        set.status = 204
      },
      { signedIn: 'user', params: BlockParams, query: BlockQuery, response: { 204: t.Void() }, detail: detail('userBlockUser', 'Block a user') },
    )
    .delete(
      '/user/blocks/:username',
      ({ viewer, params, set }) => {
        unblockOnce(context, viewer, viewer.user, params.username)
        set.status = 204
      },
      { signedIn: 'user', params: BlockParams, response: { 204: t.Void() }, detail: detail('userUnblockUser', 'Unblock a user') },
    )
}

function ofOrgs(context: Context) {
  return new Elysia({ name: 'blocks.orgs' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/orgs/:org/blocks',
      ({ viewer, org, page, total }) => {
        const found = listBlocked(context.db, viewer, org.row.id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, viewer, row))
      },
      {
        org: 'owner',
        list: true,
        params: OrgParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: detail('organizationListBlocks', 'List users blocked by the organization', 'organization'),
      },
    )
    .get(
      '/orgs/:org/blocks/:username',
      ({ viewer, org, params, set }) => {
        requireBlock(context, requireUser(viewer), org.row, params.username)
        set.status = 204
      },
      {
        org: 'owner',
        params: OrgBlockParams,
        response: { 204: t.Void() },
        detail: detail('organizationCheckUserBlock', 'Check if a user is blocked by the organization', 'organization'),
      },
    )
    .put(
      '/orgs/:org/blocks/:username',
      ({ viewer, org, params, query, set }) => {
        blockOnce(context, requireUser(viewer), org.row, params.username, query.note)
        set.status = 204
      },
      {
        org: 'owner',
        params: OrgBlockParams,
        query: BlockQuery,
        response: { 204: t.Void() },
        detail: detail('organizationBlockUser', 'Block a user', 'organization'),
      },
    )
    .delete(
      '/orgs/:org/blocks/:username',
      ({ viewer, org, params, set }) => {
        unblockOnce(context, requireUser(viewer), org.row, params.username)
        set.status = 204
      },
      {
        org: 'owner',
        params: OrgBlockParams,
        response: { 204: t.Void() },
        detail: detail('organizationUnblockUser', 'Unblock a user', 'organization'),
      },
    )
}

/** @throws NotFound for who is not blocked */
function requireBlock(context: Context, viewer: Member, blocker: UserRow, name: string): void {
  if (!hasBlock(context.db, blocker.id, getBlockable(context.db, viewer, blocker, name).id)) throw new NotFound()
}

/** @throws Unprocessable for who is blocked already, and as `block` does */
function blockOnce(context: Context, viewer: Member, blocker: UserRow, name: string, note = ''): void {
  if (!block(context, viewer, blocker, name, note)) throw new Unprocessable(`cannot block the user: ${name} is blocked already`)
}

/** @throws Unprocessable for who is not blocked, and as `unblock` does */
function unblockOnce(context: Context, viewer: Member, blocker: UserRow, name: string): void {
  if (!unblock(context, viewer, blocker, name)) throw new Unprocessable(`cannot unblock the user: ${name} is not blocked`)
}
