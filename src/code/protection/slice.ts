import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import { RefHooks } from '#repositories/refs/hooks.ts'
import { TemplateParts } from '#repositories/templates/hooks.ts'
import branchProtection from './1_branch_protection.sql' with { type: 'text' }
import { findMoveFacts } from './asks-for-facts.ts'
import { branchGuard } from './protect-branches.ts'
import { copyRules } from './store.ts'

export const slice: Slice<Context> = {
  name: 'protection',
  migrations: [{ name: '1_branch_protection', sql: branchProtection }],
  attach: ({ services }) => {
    services.get(RefHooks).add(branchGuard, findMoveFacts)
    services.get(TemplateParts).add('protected_branch', (tx, fromId, toId, _doerId, now) => copyRules(tx, fromId, toId, now))
  },
  routes: async () => (await import('./routes.ts')).protection,
  pages: async () => (await import('./pages.tsx')).protectionPages,
}
