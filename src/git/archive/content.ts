import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { DiskStore } from '../store/disk.ts'
import { checkType } from '../store/rules.ts'
import type { EntryContent } from './archive-writer.ts'

/** Larger blobs go out in pieces as they are read, and unconverted; git draws that line at `core.bigFileThreshold`, 512 MiB. */
export const LARGE_BYTES = 8 * 1024 * 1024

export function wholeContent(data: Uint8Array): EntryContent {
  return { size: data.length, isLarge: false, whole: () => data, pieces: () => [data] }
}

/**
 * The content of a blob. A large one comes piece by piece; of one that lies as a delta, what that stands on has to be made whole.
 * @throws GitError `missing` or `corrupt` when the blob is
 */
export function blobContent(store: DiskStore, oid: Oid): EntryContent {
  const header = store.findHeader(oid)
  if (header === undefined || header.size <= LARGE_BYTES) return wholeContent(store.get(oid, 'blob').data)
  checkType(oid, header, 'blob')
  return largeContent(oid, header.size, () => store.pieces(oid))
}

function largeContent(oid: Oid, size: number, pieces: EntryContent['pieces']): EntryContent {
  const whole = () => {
    throw new GitError('limit', `Cannot archive: object ${oid} of ${size} bytes is too large to archive`)
  }
  return { size, isLarge: true, whole, pieces: () => checked(pieces(), oid, size) }
}

/** @throws GitError `corrupt` when there are more or fewer bytes than the headers said */
async function* checked(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, oid: Oid, size: number): AsyncGenerator<Uint8Array> {
  let left = size
  for await (const piece of pieces) {
    left -= piece.length
    if (left < 0) break
    yield piece
    if (left === 0) return
  }
  throw new GitError('corrupt', `Cannot archive: object ${oid} does not have the ${size} bytes that its header declares`)
}
