import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'migrations',
  routes: async () => (await import('./routes.ts')).migrations,
}
