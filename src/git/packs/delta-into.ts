import { GitError } from '../errors.ts'
import type { CopiedRuns } from '../objects/check-tree.ts'

/** Shorter copies hold no whole tree entry worth skipping. */
const SHORTEST_RUN = 48
const MAX_RUNS = 4096

/** Collects which stretches of a delta's result are copies of its base. */
export class RunRecorder implements CopiedRuns {
  count = 0
  readonly to = new Float64Array(MAX_RUNS)
  readonly from = new Float64Array(MAX_RUNS)
  readonly length = new Float64Array(MAX_RUNS)

  add(to: number, from: number, length: number): void {
    if (length < SHORTEST_RUN || this.count === MAX_RUNS) return
    this.to[this.count] = to
    this.from[this.count] = from
    this.length[this.count++] = length
  }
}

/**
 * Applies `delta`, whose instructions begin at `at`, to `base[baseStart, baseStart + baseLength)` and writes the result to
 * `out[outStart, outStart + outLength)`, which may lie in the same array but must not overlap the base.
 * @throws GitError `corrupt` when the delta does not fit the base or does not make exactly `outLength` bytes
 */
export function applyDeltaInto(
  base: Uint8Array,
  baseStart: number,
  baseLength: number,
  delta: Uint8Array,
  at: number,
  out: Uint8Array,
  outStart: number,
  outLength: number,
  runs: RunRecorder | undefined,
): void {
  const isOneArray = base === out
  const end = delta.length
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
      if (at > end || offset + length > baseLength || to + length > outLength) throw corrupt('a copy reaches outside')
      const from = baseStart + offset
      if (isOneArray) out.copyWithin(outStart + to, from, from + length)
      else Buffer.prototype.copy.call(base, out, outStart + to, from, from + length)
      if (runs !== undefined) runs.add(to, offset, length)
      to += length
    } else {
      if (op === 0) throw corrupt('opcode 0 is reserved')
      if (at + op > end || to + op > outLength) throw corrupt('an insert reaches outside')
      for (let i = 0; i < op; i++) out[outStart + to + i] = delta[at + i]
      at += op
      to += op
    }
  }
  if (to !== outLength) throw corrupt(`it makes ${to} bytes instead of ${outLength}`)
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot apply delta: ${reason}`)
}
