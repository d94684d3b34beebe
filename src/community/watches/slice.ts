import { Interests } from '#access/hooks.ts'
import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import watches from './1_watches.sql' with { type: 'text' }
import watchers from './2_watchers.sql' with { type: 'text' }
import begunAfter from './3_begun_after.sql' with { type: 'text' }
import { watching } from './interest-store.ts'

export const slice: Slice<Context> = {
  name: 'watches',
  migrations: [
    { name: '1_watches', sql: watches, formerly: ['0015_watches', '0023_repo_counts'] },
    { name: '2_watchers', sql: watchers },
    { name: '3_begun_after', sql: begunAfter },
  ],
  attach: ({ services }) => services.get(Interests).add('watch', watching),
  routes: async () => (await import('./routes.ts')).watches,
  pages: async () => (await import('./pages.tsx')).watchPages,
}
