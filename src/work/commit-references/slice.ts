import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import place from './1_place.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'commit-references',
  migrations: [{ name: '1_place', sql: place }],
  start: async (context) => (await import('./follow-pushes.ts')).startFollowingPushes(context),
}
