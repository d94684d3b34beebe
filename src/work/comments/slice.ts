import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'comments',
  routes: async () => (await import('./routes.ts')).comments,
}
