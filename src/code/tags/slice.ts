import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'tags',
  routes: async () => (await import('./routes.ts')).tags,
  pages: async () => (await import('./pages.tsx')).tagPages,
}
