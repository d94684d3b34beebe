import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { securityPages } from './security-pages.ts'
import { stepPages } from './step-pages.ts'

/** How a second factor is added, shown and removed. */
export function secondFactorPages(context: Context) {
  return new Elysia({ name: 'second-factors.pages' }).use(stepPages(context)).use(securityPages(context))
}
