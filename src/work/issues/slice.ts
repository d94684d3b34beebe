import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import issues from './1_issues.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'issues',
  migrations: [{ name: '1_issues', sql: issues }],
  routes: async () => (await import('./routes.ts')).issues,
}
