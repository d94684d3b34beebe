import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'assets',
  routes: async () => (await import('./routes.ts')).assets,
  pages: async () => (await import('./pages.ts')).downloads,
}
