import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import packChecks from './1_pack_checks.sql' with { type: 'text' }

export const slice: Slice<Context> = {
  name: 'upkeep',
  migrations: [{ name: '1_pack_checks', sql: packChecks }],
  start: async (context) => (await import('./upkeep.ts')).startUpkeep(context),
}
