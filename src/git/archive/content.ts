import { createInflate } from 'node:zlib'
import { GitError } from '../errors.ts'
import type { Oid } from '../objects/oid.ts'
import type { PackFile } from '../packs/pack-file.ts'
import type { DiskStore } from '../store/disk.ts'
import type { EntryContent } from './archive-writer.ts'
import { zlibPieces } from './zlib-pump.ts'

/** Larger blobs go out in pieces as they are read, and unconverted; git draws that line at `core.bigFileThreshold`, 512 MiB. */
export const LARGE_BYTES = 8 * 1024 * 1024
const PIECE_BYTES = 256 * 1024
/** So little at once that what it inflates to, a thousand times as much at worst, is no burden. */
const READ_BYTES = 16 * 1024
const BLOB = 3

export function wholeContent(data: Uint8Array): EntryContent {
  return { size: data.length, isLarge: false, whole: () => data, pieces: () => [data] }
}

/**
 * The content of a blob. One that stands on no other is inflated piece by piece when it is large; a delta's result has to be made whole.
 * @throws GitError `missing` or `corrupt` when the blob is
 */
export function blobContent(store: DiskStore, oid: Oid): EntryContent {
  const place = store.locate(oid)
  const entry = place?.pack.entryHeaderAt(place.pack.index.offsetAt(place.position))
  if (place !== undefined && entry?.type === BLOB && entry.size > LARGE_BYTES) {
    const { dataAt, size } = entry
    return largeContent(oid, size, () => zlibPieces(createInflate({ chunkSize: PIECE_BYTES }), packBytes(place.pack, dataAt)))
  }
  const { data } = store.get(oid, 'blob')
  return data.length > LARGE_BYTES ? largeContent(oid, data.length, () => slices(data)) : wholeContent(data)
}

function largeContent(oid: Oid, size: number, pieces: EntryContent['pieces']): EntryContent {
  const whole = () => {
    throw new GitError('limit', `Cannot archive: object ${oid} of ${size} bytes is too large to be had whole`)
  }
  return { size, isLarge: true, whole, pieces: () => checked(pieces(), oid, size) }
}

function* slices(data: Uint8Array): Generator<Uint8Array, void, undefined> {
  for (let at = 0; at < data.length; at += PIECE_BYTES) yield data.subarray(at, at + PIECE_BYTES)
}

/** What lies in the pack from `from` on; the inflater knows where its stream ends. */
function* packBytes(pack: PackFile, from: number): Generator<Uint8Array, void, undefined> {
  for (let at = from; at < pack.dataEnd; at += READ_BYTES) yield pack.readAt(at, Math.min(READ_BYTES, pack.dataEnd - at))
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
  throw new GitError('corrupt', `Cannot archive: object ${oid} does not make the ${size} bytes its header says`)
}
