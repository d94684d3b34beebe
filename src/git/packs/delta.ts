import { GitError } from '../errors.ts'

/** Source: `Documentation/gitformat-pack.txt`, "Deltified representation". */

/** Reads the two sizes a delta begins with. @throws GitError `corrupt` when it ends early */
export function deltaSizes(delta: Uint8Array): { base: number; result: number; bodyAt: number } {
  let at = 0
  const next = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      if (at >= delta.length || scale > 2 ** 49) throw corrupt('its header is cut off or too long')
      const byte = delta[at++]
      value += (byte & 0x7f) * scale
      if (!(byte & 0x80)) return value
      scale *= 128
    }
  }
  const base = next()
  const result = next()
  return { base, result, bodyAt: at }
}

/**
 * Applies `delta` to `base` and returns the result as a buffer of its own.
 * @throws GitError `limit` when the result would be longer than `maxBytes`; `corrupt` when the delta does not fit the base
 */
export function applyDelta(base: Uint8Array, delta: Uint8Array, maxBytes: number): Uint8Array {
  const sizes = deltaSizes(delta)
  if (sizes.base !== base.length) throw corrupt(`it is made for a base of ${sizes.base} bytes, the base has ${base.length}`)
  if (sizes.result > maxBytes) throw new GitError('limit', `Cannot apply delta: its result of ${sizes.result} bytes is over the limit of ${maxBytes}`)
  const out = Buffer.allocUnsafe(sizes.result)
  const end = delta.length
  let at = sizes.bodyAt
  let to = 0
  while (at < end) {
    const op = delta[at++]
    if (op & 0x80) {
      let offset = 0
      let length = 0
      if (op & 0x01) offset = delta[at++]
      if (op & 0x02) offset |= delta[at++] << 8
      if (op & 0x04) offset |= delta[at++] << 16
      if (op & 0x08) offset = (offset | (delta[at++] << 24)) >>> 0
      if (op & 0x10) length = delta[at++]
      if (op & 0x20) length |= delta[at++] << 8
      if (op & 0x40) length |= delta[at++] << 16
      if (length === 0) length = 0x10000
      if (at > end || offset + length > base.length || to + length > sizes.result) throw corrupt('a copy reaches outside')
      copyBytes(base, offset, out, to, length)
      to += length
    } else if (op !== 0) {
      if (at + op > end || to + op > sizes.result) throw corrupt('an insert reaches outside')
      copyBytes(delta, at, out, to, op)
      at += op
      to += op
    } else {
      throw corrupt('opcode 0 is reserved')
    }
  }
  if (to !== sizes.result) throw corrupt(`it makes ${to} bytes instead of ${sizes.result}`)
  return out
}

/** A loop beats a native call for short runs. */
function copyBytes(from: Uint8Array, at: number, out: Uint8Array, to: number, length: number): void {
  if (length < 24) for (let i = 0; i < length; i++) out[to + i] = from[at + i]
  else out.set(from.subarray(at, at + length), to)
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot apply delta: ${reason}`)
}
