import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { orgHookPages } from './org-pages.tsx'
import { repoHookPages } from './repo-pages.tsx'
import { siteHookPages } from './site-pages.tsx'
import { userHookPages } from './user-pages.tsx'

/** Webhooks in the browser. */
export function webhookPages(context: Context) {
  return new Elysia({ name: 'webhooks.pages' }).use(orgHookPages(context)).use(repoHookPages(context)).use(siteHookPages(context)).use(userHookPages(context))
}
