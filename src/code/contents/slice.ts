import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'contents',
  routes: async () => (await import('./routes.ts')).contents,
  pages: async () => (await import('./pages.ts')).contentPages,
}
