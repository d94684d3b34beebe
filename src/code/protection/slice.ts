import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import branchProtection from './1_branch_protection.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'protection',
  migrations: [{ name: '1_branch_protection', sql: branchProtection }],
  routes: async () => (await import('./routes.ts')).protection,
}
