import { GitError } from '../errors.ts'
import { zlib } from '../zlib.ts'
import { deflatedAtMost, inflateWhole } from './inflate.ts'
import { inflateInto } from './inflate-into.ts'

/** Larger streams are mostly not there as a whole. */
const FAST_BYTES = 64 * 1024

/**
 * Inflates the zlib stream that `bytes[at, end)` begin with; other bytes may follow it. Answers undefined when `bytes` end before the stream does.
 * @throws GitError `corrupt` when the stream is bad (its checksum included) or does not make exactly `size` bytes
 */
export function inflateAt(bytes: Uint8Array, at: number, end: number, size: number): Uint8Array | undefined {
  if (deflatedAtMost(size) <= FAST_BYTES) {
    const room = Buffer.allocUnsafeSlow(size + 1)
    if (inflateInto(bytes, at, end, room, 0, size) > 0) return room.subarray(0, size)
  }
  // Slower, and says precisely what is wrong.
  return inflateWhole(bytes.subarray(at, end), size)?.data
}

/** The first bytes that the zlib stream at `bytes[at]` makes: `wanted` or more, or all there are. @throws GitError `corrupt` */
export function inflateStart(bytes: Uint8Array, at: number, end: number, wanted: number): Uint8Array {
  for (let length = 64; ; length *= 8) {
    const isAll = at + length >= end
    const start = inflateSome(bytes.subarray(at, Math.min(end, at + length)))
    if (start.length >= wanted || isAll) return start
  }
}

function inflateSome(bytes: Uint8Array): Uint8Array {
  try {
    return zlib().inflateSync(bytes, { finishFlush: zlib().constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw new GitError('corrupt', `Cannot inflate: bad zlib stream (${error instanceof Error ? error.message : String(error)})`)
  }
}
