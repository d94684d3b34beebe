import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'transfers',
  routes: async () => (await import('./routes.ts')).transfers,
  pages: async () => (await import('./pages.tsx')).transferPages,
}
