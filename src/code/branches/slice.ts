import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'branches',
  routes: async () => (await import('./routes.ts')).branches,
  pages: async () => (await import('./pages.tsx')).branchPages,
}
