import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'wiki',
  routes: async () => (await import('./routes.ts')).wiki,
  pages: async () => (await import('./pages.ts')).wikiPages,
}
