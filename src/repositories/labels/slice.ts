import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import labels from './1_labels.sql' with { type: 'text' }
import names from './2_names.sql' with { type: 'text' }
import deletedLabels from './3_deleted_labels.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'labels',
  migrations: [
    { name: '1_labels', sql: labels, formerly: ['0020_labels'] },
    { name: '2_names', sql: names },
    { name: '3_deleted_labels', sql: deletedLabels },
  ],
  routes: async () => (await import('./routes.ts')).labels,
  pages: async () => (await import('./pages.tsx')).labelPages,
}
