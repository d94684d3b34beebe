import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import milestones from './1_milestones.sql' with { type: 'text' }
import titles from './2_titles.sql' with { type: 'text' }
import deletedMilestones from './3_deleted_milestones.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'milestones',
  migrations: [
    { name: '1_milestones', sql: milestones },
    { name: '2_titles', sql: titles },
    { name: '3_deleted_milestones', sql: deletedMilestones },
  ],
  routes: async () => (await import('./routes.ts')).milestones,
}
