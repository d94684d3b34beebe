import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { issueRoutes } from './issue-routes.ts'
import { searchRoutes } from './search-routes.ts'

/** Issues, and what of pull requests is the same: found, opened, changed, and all that they carry. */
export function issues(context: Context) {
  return new Elysia({ name: 'issues' }).use(searchRoutes(context)).use(issueRoutes(context))
}
