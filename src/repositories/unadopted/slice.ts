import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'unadopted',
  routes: async () => (await import('./routes.ts')).unadopted,
  pages: async () => (await import('./pages.tsx')).unadoptedPages,
  start: async (context) => {
    const { sweepUnadopted } = await import('./places.ts')
    context.tasks.start('clean up after adoptions', () => sweepUnadopted(context))
  },
}
