import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'admin',
  routes: async () => (await import('./routes.ts')).admin,
  pages: async () => (await import('./pages.ts')).adminPages,
  jobs: async () => [(await import('./delete-user.ts')).deleteAccount],
}
