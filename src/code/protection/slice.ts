import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import branchProtection from './1_branch_protection.sql' with { type: 'text' }
import { findMoveFacts } from './asks-for-facts.ts'
import { branchGuard } from './protect-branches.ts'

export const slice: Slice<Context> = {
  name: 'protection',
  migrations: [{ name: '1_branch_protection', sql: branchProtection }],
  attach: ({ moveFinders }) => {
    moveFinders.push({ guard: branchGuard, find: findMoveFacts })
  },
  routes: async () => (await import('./routes.ts')).protection,
  pages: async () => (await import('./pages.tsx')).protectionPages,
}
