import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'

export const slice: Slice<Context> = {
  name: 'upkeep',
  start: async (context) => (await import('./upkeep.ts')).startUpkeep(context),
}
