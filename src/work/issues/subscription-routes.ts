import { Elysia, t } from 'elysia'
import { accessStore, canSeeAccount, gate, isSelf, isSiteAdmin, operation, PageQuery, paging, requireUser } from '#access/index.ts'
import type { Context } from '#context.ts'
import { rfc3339 } from '#kernel/clock.ts'
import { Forbidden, NotFound } from '#kernel/errors.ts'
import { presentUser, UserList } from '#people/users/index.ts'
import { repoApiUrl } from '#repositories/repos/index.ts'
import { type Asked, getIssue } from './find-issue.ts'
import { canRead } from './mentions.ts'
import { IssueParams, WatchInfo } from './schema.ts'
import { isSubscribed, listSubscribers, putSubscription } from './subscription-store.ts'
import { issueApiUrl } from './view.ts'

const SubscriptionParams = t.Object({ ...IssueParams.properties, user: t.String({ description: 'username of the user' }) })

/** Who is told of what happens to an issue. */
export function subscriptionRoutes(context: Context) {
  const change = (asked: Asked & { params: { user: string } }, isOn: boolean, set: { status?: number | string }) => {
    const viewer = requireUser(asked.viewer)
    const issue = getIssue(context, asked)
    const person = accessStore.findUserByName(context.db, asked.params.user)
    if (!person || !canSeeAccount(context.db, viewer, person)) throw new NotFound()
    if (!isSelf(viewer, person) && !isSiteAdmin(viewer)) throw new Forbidden('only the user and site administrators can do this')
    if (isOn && !canRead(context.db, person.id, asked.repo, issue)) throw new NotFound()
    set.status = isSubscribed(context.db, issue.id, person.id) === isOn ? 200 : 201
    context.db.tx((tx) => putSubscription(tx, issue.id, person.id, isOn, context.clock.seconds()))
  }
  return new Elysia({ name: 'issues.subscriptions' })
    .use(gate(context))
    .use(paging(context))
    .get(
      '/repos/:owner/:repo/issues/:index/subscriptions',
      async ({ page, total, ...asked }) => {
        const found = await listSubscribers(context.db, asked.viewer, getIssue(context, asked).id, page)
        total(found.total)
        return found.rows.map((row) => presentUser(context, asked.viewer, row))
      },
      {
        repo: 'issues|pulls:read',
        list: true,
        params: IssueParams,
        query: PageQuery,
        response: { 200: UserList },
        detail: operation('issueSubscriptions', 'Get users who subscribed on an issue.', 'issue'),
      },
    )
    .get(
      '/repos/:owner/:repo/issues/:index/subscriptions/check',
      (asked) => {
        const { user } = requireUser(asked.viewer)
        const issue = getIssue(context, asked)
        const subscribed = isSubscribed(context.db, issue.id, user.id)
        const { owner, row } = asked.repo
        return {
          subscribed,
          ignored: !subscribed,
          reason: null,
          created_at: rfc3339(issue.created_at),
          url: `${issueApiUrl(context, asked.repo, issue)}/subscriptions`,
          repository_url: repoApiUrl(context, owner, row),
        }
      },
      {
        repo: 'issues|pulls:read',
        params: IssueParams,
        response: { 200: WatchInfo },
        detail: operation('issueCheckSubscription', 'Check if user is subscribed to an issue', 'issue'),
      },
    )
    .put('/repos/:owner/:repo/issues/:index/subscriptions/:user', ({ set, ...asked }) => change(asked, true, set), {
      repo: 'issues|pulls:read',
      params: SubscriptionParams,
      response: { 200: t.Void(), 201: t.Void() },
      detail: operation('issueAddSubscription', 'Subscribe user to issue', 'issue'),
    })
    .delete('/repos/:owner/:repo/issues/:index/subscriptions/:user', ({ set, ...asked }) => change(asked, false, set), {
      repo: 'issues|pulls:read',
      params: SubscriptionParams,
      response: { 200: t.Void(), 201: t.Void() },
      detail: operation('issueDeleteSubscription', 'Unsubscribe user from issue', 'issue'),
    })
}
