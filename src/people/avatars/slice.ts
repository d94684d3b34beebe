import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import avatars from './1_avatars.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'avatars',
  migrations: [{ name: '1_avatars', sql: avatars, formerly: ['0018_avatars'] }],
  routes: async () => (await import('./routes.ts')).avatars,
  pages: async () => (await import('./pages.ts')).avatarPages,
  start: async (context) => (await import('./files.ts')).startSweepingPictures(context),
}
