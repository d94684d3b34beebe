import { GitError } from '../errors.ts'
import { applyDeltaInto } from './delta-into.ts'

/** Source: `Documentation/gitformat-pack.txt`, "Deltified representation". */

/** Reads the two sizes a delta begins with. @throws GitError `corrupt` when it ends early */
export function deltaSizes(delta: Uint8Array): { base: number; result: number; bodyAt: number } {
  let at = 0
  const next = (): number => {
    let value = 0
    let scale = 1
    for (;;) {
      if (at >= delta.length || scale > 2 ** 49) throw corrupt('its header is truncated or too long')
      const byte = delta[at++] as number
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
 * Applies `delta` to `base` and returns the result, in what `roomFor` gives for its length: by default a buffer of its own.
 * @throws GitError `limit` when the result would be longer than `maxBytes`; `corrupt` when the delta does not fit the base
 */
export function applyDelta(
  base: Uint8Array,
  delta: Uint8Array,
  maxBytes: number,
  roomFor: (length: number) => Uint8Array = Buffer.allocUnsafeSlow,
): Uint8Array {
  const sizes = deltaSizes(delta)
  if (sizes.base !== base.length) throw corrupt(`it expects a base of ${sizes.base} bytes, but the base has ${base.length}`)
  if (sizes.result > maxBytes) throw new GitError('limit', `Cannot apply delta: its result of ${sizes.result} bytes is over the limit of ${maxBytes}`)
  const out = roomFor(sizes.result)
  applyDeltaInto(base, 0, base.length, delta, sizes.bodyAt, out, 0, sizes.result, undefined)
  return out
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot apply delta: ${reason}`)
}
