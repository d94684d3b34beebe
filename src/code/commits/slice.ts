import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'commits',
  routes: async () => (await import('./routes.ts')).commits,
  pages: async () => (await import('./pages.ts')).commitPages,
}
