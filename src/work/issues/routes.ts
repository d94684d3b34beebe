import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { dependencyRoutes } from './dependency-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { moveRoutes } from './move-routes.ts'
import { pinRoutes } from './pin-routes.ts'
import { planRoutes } from './plan-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { subscriptionRoutes } from './subscription-routes.ts'

/** Issues, and what of pull requests is the same: found, opened, changed, and all that they carry. */
export function issues(context: Context) {
  return new Elysia({ name: 'issues' })
    .use(searchRoutes(context))
    .use(issueRoutes(context))
    .use(pinRoutes(context))
    .use(planRoutes(context))
    .use(dependencyRoutes(context))
    .use(subscriptionRoutes(context))
    .use(moveRoutes(context))
}
