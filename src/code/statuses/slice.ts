import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import statuses from './1_statuses.sql' with { type: 'text' }
import newest from './2_newest.sql' with { type: 'text' }
import newestByState from './3_newest_by_state.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'statuses',
  migrations: [
    { name: '1_statuses', sql: statuses },
    { name: '2_newest', sql: newest },
    { name: '3_newest_by_state', sql: newestByState },
  ],
  routes: async () => (await import('./routes.ts')).statuses,
}
