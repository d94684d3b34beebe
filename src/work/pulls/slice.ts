import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import tables from './1_pulls.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'pulls',
  migrations: [{ name: '1_pulls', sql: tables }],
  routes: async () => (await import('./routes.ts')).pulls,
}
