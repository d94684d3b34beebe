import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import sources from './1_sources.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'sources',
  migrations: [{ name: '1_sources', sql: sources }],
}
