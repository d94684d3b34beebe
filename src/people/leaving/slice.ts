import type { Slice } from '#kernel/slice.ts'
import purges from './1_purges.sql' with { type: 'text' }

export const slice: Slice<unknown> = {
  name: 'leaving',
  migrations: [{ name: '1_purges', sql: purges, formerly: ['0022_purges'] }],
}
