import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'archives',
  routes: async () => (await import('./routes.ts')).archives,
  pages: async () => (await import('./pages.ts')).archivePages,
  start: async (context) => {
    const { CLEANUP_SECONDS, CLEANUP_TASK, dropOrphans } = await import('./cleanup.ts')
    context.tasks.every(CLEANUP_SECONDS, CLEANUP_TASK, () => dropOrphans(context))
  },
}
