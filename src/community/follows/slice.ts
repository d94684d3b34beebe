import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import follows from './1_follows.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'follows',
  migrations: [{ name: '1_follows', sql: follows, formerly: ['0013_follows'] }],
  routes: async () => (await import('./routes.ts')).follows,
  pages: async () => (await import('./pages.ts')).followPages,
}
