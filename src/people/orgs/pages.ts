import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { createOrgPages } from './create-pages.tsx'
import { memberPages } from './member-pages.tsx'
import { ownOrgPages } from './own-pages.tsx'
import { orgSettingsPages } from './settings-pages.tsx'

/** Organizations in the browser. */
export function orgPages(context: Context) {
  return new Elysia({ name: 'orgs.pages' }).use(createOrgPages(context)).use(memberPages(context)).use(orgSettingsPages(context)).use(ownOrgPages(context))
}
