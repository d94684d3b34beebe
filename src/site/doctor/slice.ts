import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import formerDeletions from './1_former_deletions.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'doctor',
  migrations: [{ name: '1_former_deletions', sql: formerDeletions }],
  pages: async () => (await import('./pages.tsx')).doctorPages,
}
