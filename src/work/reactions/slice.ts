import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import reactions from './1_reactions.sql' with { type: 'text' }
import counts from './2_counts.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'reactions',
  migrations: [
    { name: '1_reactions', sql: reactions },
    { name: '2_counts', sql: counts },
  ],
  routes: async () => (await import('./routes.ts')).reactions,
}
