import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { accountPages } from './account-pages.tsx'
import { emailPages } from './email-pages.tsx'

/** Accounts for the people whose they are, in the browser. */
export function userPages(context: Context) {
  return new Elysia({ name: 'users.pages' }).use(accountPages(context)).use(emailPages(context))
}
