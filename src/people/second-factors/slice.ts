import type { Context } from '#context.ts'
import type { Slice } from '#kernel/slice.ts'
import secondFactors from './1_second_factors.sql' with { type: 'text' }
import factorCount from './2_factor_count.sql' with { type: 'text' }
import { attachSecondFactors } from './attach.ts'

export const slice: Slice<Context> = {
  name: 'second-factors',
  migrations: [
    { name: '1_second_factors', sql: secondFactors },
    { name: '2_factor_count', sql: factorCount },
  ],
  pages: async () => (await import('./pages.ts')).secondFactorPages,
  attach: attachSecondFactors,
}
