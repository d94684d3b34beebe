import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import linkEnds from './1_link_ends.sql' with { type: 'text' }
import disablingEnds from './2_disabling_ends_sessions.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'sessions',
  migrations: [
    { name: '1_link_ends', sql: linkEnds },
    { name: '2_disabling_ends_sessions', sql: disablingEnds },
  ],
  pages: async () => (await import('./pages.ts')).sessionPages,
}
