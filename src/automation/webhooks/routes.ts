import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { gitHooks } from './git-hook-routes.ts'
import { orgHooks } from './org-routes.ts'
import { repoHooks } from './repo-routes.ts'
import { siteHooks } from './site-routes.ts'
import { userHooks } from './user-routes.ts'

/** Webhooks: who is told of what. Deliveries themselves are made from the event log. */
export function webhooks(context: Context) {
  return new Elysia({ name: 'webhooks' }).use(gitHooks(context)).use(orgHooks(context)).use(repoHooks(context)).use(siteHooks(context)).use(userHooks(context))
}
