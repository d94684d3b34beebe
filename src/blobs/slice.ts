import type { Slice } from '#kernel/slice.ts'
import blobs from './1_blobs.sql' with { type: 'text' }

export const slice: Slice<unknown> = {
  name: 'blobs',
  migrations: [{ name: '1_blobs', sql: blobs }],
}
