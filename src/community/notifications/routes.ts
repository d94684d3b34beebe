import { Elysia } from 'elysia'
import { gate, type Member, operation, paging, RepoParams, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { type Peer, pacedStream } from '#kernel/answers/paced-stream.ts'
import { inParts, uncheckedPages } from '#kernel/http.ts'
import { filterOf, getThread, markAll, statusIn, unreadOf } from './find-notifications.ts'
import { takeEvents } from './follow-events.ts'
import { NotificationCount, NotificationsQuery, NotificationThread, NotificationThreadList, ReadQuery, ThreadParams, ThreadQuery } from './schema.ts'
import { countNotifications, findNotifications, type NotificationRow, setStatus } from './store.ts'
import { presentThreads } from './view.ts'

/** Gitea says 205 and sends content, which HTTP forbids and Bun leaves out; clients read the content, and take any success. */
const marked = 200

/** What people are told of issues and pull requests that concern them. */
export function notifications(context: Context) {
  return new Elysia({ name: 'notifications' }).use(ownNotifications(context)).use(repoNotifications(context)).use(threads(context))
}

function ownNotifications(context: Context) {
  return new Elysia({ name: 'notifications.own' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/notifications',
      async ({ viewer, request, page, total }) => {
        await takeEvents(context)
        const found = await findNotifications(context.db, filterOf({ viewer, request }), page)
        total(found.total)
        return presentThreads(context, viewer, found.rows)
      },
      {
        signedIn: 'notification',
        list: true,
        query: NotificationsQuery,
        response: { 200: NotificationThreadList },
        detail: operation('notifyGetList', "List users's notification threads", 'notification'),
      },
    )
    .put(
      '/notifications',
      async ({ viewer, request, server }) => {
        await takeEvents(context)
        return tellMarked(context, viewer, await markAll(context, { viewer, request }), { request, server })
      },
      {
        signedIn: 'notification',
        query: ReadQuery,
        response: { [marked]: NotificationThreadList },
        detail: { ...operation('notifyReadList', 'Mark notification threads as read, pinned or unread', 'notification'), errors: [400] },
      },
    )
    .get(
      '/notifications/new',
      async ({ viewer }) => {
        await takeEvents(context)
        return { new: await countNotifications(context.db, unreadOf(viewer)) }
      },
      {
        signedIn: 'notification',
        response: { 200: NotificationCount },
        detail: operation('notifyNewAvailable', 'Check if unread notifications exist', 'notification'),
      },
    )
}

function repoNotifications(context: Context) {
  return new Elysia({ name: 'notifications.repo' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/notifications',
      async ({ viewer: asking, repo, request, page, total }) => {
        const viewer = requireUser(asking)
        await takeEvents(context)
        const found = await findNotifications(context.db, filterOf({ viewer, repoId: repo.row.id, request }), page)
        total(found.total)
        return presentThreads(context, viewer, found.rows)
      },
      {
        repo: 'read',
        list: true,
        params: RepoParams,
        query: NotificationsQuery,
        response: { 200: NotificationThreadList },
        detail: operation('notifyGetRepoList', "List users's notification threads on a specific repo", 'notification'),
      },
    )
    .put(
      '/repos/:owner/:repo/notifications',
      async ({ viewer: asking, repo, request, server }) => {
        const viewer = requireUser(asking)
        await takeEvents(context)
        return tellMarked(context, viewer, await markAll(context, { viewer, repoId: repo.row.id, request }), { request, server })
      },
      {
        repo: 'read',
        params: RepoParams,
        query: ReadQuery,
        response: { [marked]: NotificationThreadList },
        detail: { ...operation('notifyReadRepoList', 'Mark notification threads as read, pinned or unread on a specific repo', 'notification'), errors: [400] },
      },
    )
}

function tellMarked(context: Context, viewer: Member, rows: readonly NotificationRow[], peer: Peer): Promise<NotificationThread[]> {
  const parts = inParts(rows, (part) => presentThreads(context, viewer, part))
  return uncheckedPages(parts, (source) => pacedStream(context, source, peer))
}

function threads(context: Context) {
  return new Elysia({ name: 'notifications.threads' })
    .use(gate(context))
    .get(
      '/notifications/threads/:id',
      ({ viewer, params }) => presentThreads(context, viewer, [getThread(context, viewer, params.id)])[0] as NotificationThread,
      {
        signedIn: 'notification',
        params: ThreadParams,
        response: { 200: NotificationThread },
        detail: operation('notifyGetThread', 'Get notification thread by ID', 'notification'),
      },
    )
    .patch(
      '/notifications/threads/:id',
      ({ viewer, params, query }) => {
        const row = getThread(context, viewer, params.id)
        const status = statusIn(query['to-status'])
        context.db.tx((tx) => setStatus(tx, row.id, status))
        return presentThreads(context, viewer, [{ ...row, status }])[0] as NotificationThread
      },
      {
        signedIn: 'notification',
        params: ThreadParams,
        query: ThreadQuery,
        response: { [marked]: NotificationThread },
        detail: { ...operation('notifyReadThread', 'Mark notification thread as read by ID', 'notification'), errors: [400] },
      },
    )
}
