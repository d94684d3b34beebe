import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import reviews from './1_reviews.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'reviews',
  migrations: [{ name: '1_reviews', sql: reviews }],
  routes: async () => (await import('./routes.ts')).reviews,
}
