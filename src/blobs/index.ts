export { blobPath, type Landed, landBlob } from './files.ts'
export { listUsedBlobs, noteBlob } from './store.ts'
export { type BlobContext, sweepBlobs } from './sweep.ts'
