import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import orgs from './1_orgs.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'orgs',
  migrations: [{ name: '1_orgs', sql: orgs, formerly: ['0007_orgs'] }],
  routes: async () => (await import('./routes.ts')).orgs,
  pages: async () => (await import('./pages.ts')).orgPages,
}
