import { Interests } from '#access/hooks.ts'
import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import stars from './1_stars.sql' with { type: 'text' }
import begunAfter from './2_begun_after.sql' with { type: 'text' }
import { starring } from './interest-store.ts'

export const slice: Slice<Context> = {
  name: 'stars',
  migrations: [
    { name: '1_stars', sql: stars, formerly: ['0004_repos', '0008_star_counts', '0023_repo_counts'] },
    { name: '2_begun_after', sql: begunAfter },
  ],
  attach: ({ services }) => services.get(Interests).add('star', starring),
  routes: async () => (await import('./routes.ts')).stars,
  pages: async () => (await import('./pages.tsx')).starPages,
}
