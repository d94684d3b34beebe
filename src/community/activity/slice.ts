import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import activity from './1_activity.sql' with { type: 'text' }
import placeInEvent from './2_place_in_event.sql' with { type: 'text' }
import published from './3_published.sql' with { type: 'text' }
import comments from './4_comments.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'activity',
  migrations: [
    { name: '1_activity', sql: activity, formerly: ['0016_activity'] },
    { name: '2_place_in_event', sql: placeInEvent },
    { name: '3_published', sql: published },
    { name: '4_comments', sql: comments },
  ],
  routes: async () => (await import('./routes.ts')).activity,
  start: async (context) => (await import('./follow-events.ts')).startFollowing(context),
}
