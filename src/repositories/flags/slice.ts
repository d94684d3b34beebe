import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import flags from './1_flags.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'flags',
  migrations: [{ name: '1_flags', sql: flags }],
  routes: async () => (await import('./routes.ts')).flags,
}
