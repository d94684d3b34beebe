import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { teamListPages } from './list-pages.tsx'
import { teamMemberPages } from './member-pages.tsx'
import { teamSettingsPages } from './settings-pages.tsx'

/** Teams in the browser. */
export function teamPages(context: Context) {
  return new Elysia({ name: 'teams.pages' }).use(teamListPages(context)).use(teamMemberPages(context)).use(teamSettingsPages(context))
}
