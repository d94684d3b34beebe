import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import badges from './1_badges.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'badges',
  migrations: [{ name: '1_badges', sql: badges, formerly: ['0019_badges'] }],
  routes: async () => (await import('./routes.ts')).badges,
  pages: async () => (await import('./pages.tsx')).badgePages,
}
