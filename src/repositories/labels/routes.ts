import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { orgLabels } from './org-routes.ts'
import { repoLabels } from './repo-routes.ts'
import { labelTemplates } from './template-routes.ts'

/** Labels of repositories and of organizations, and the sets that repositories start with. */
export function labels(context: Context) {
  return new Elysia({ name: 'labels' }).use(repoLabels(context)).use(orgLabels(context)).use(labelTemplates(context))
}
