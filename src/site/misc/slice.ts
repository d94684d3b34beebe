import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'misc',
  routes: async () => (await import('./routes.ts')).misc,
  pages: async () => (await import('./probe-routes.ts')).probes,
}
