import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import stars from './1_stars.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'stars',
  migrations: [{ name: '1_stars', sql: stars, formerly: ['0004_repos', '0008_star_counts', '0023_repo_counts'] }],
  routes: async () => (await import('./routes.ts')).stars,
  pages: async () => (await import('./pages.tsx')).starPages,
}
