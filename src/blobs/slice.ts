import type { Slice } from '#kernel/slice.ts'
import blobs from './1_blobs.sql' with { type: 'text' }
import blobSums from './2_blob_sums.sql' with { type: 'text' }
import type { BlobContext } from './sweep.ts'

export const slice: Slice<BlobContext> = {
  name: 'blobs',
  migrations: [
    { name: '1_blobs', sql: blobs },
    { name: '2_blob_sums', sql: blobSums },
  ],
  start: async (context) => (await import('./sweep.ts')).startSweepingBlobs(context),
}
