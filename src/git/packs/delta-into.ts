import { GitError } from '../errors.ts'
import type { CopiedRuns } from '../objects/check-tree.ts'

/** Shorter copies hold no whole tree entry worth skipping. */
const SHORTEST_RUN = 48
const MAX_RUNS = 4096
/** To begin a copy takes as long as to copy so many bytes one by one; a delta may have millions of shorter ones. */
const FEW_BYTES = 32

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
    const op = delta[at++] as number
    if (op & 0x80) {
      let offset = 0
      let length = 0
      if (op & 0x01) offset = delta[at++] as number
      if (op & 0x02) offset |= (delta[at++] as number) << 8
      if (op & 0x04) offset |= (delta[at++] as number) << 16
      if (op & 0x08) offset = (offset | ((delta[at++] as number) << 24)) >>> 0
      if (op & 0x10) length = delta[at++] as number
      if (op & 0x20) length |= (delta[at++] as number) << 8
      if (op & 0x40) length |= (delta[at++] as number) << 16
      if (length === 0) length = 0x10000
      if (at > end || offset + length > baseLength || to + length > outLength) throw corrupt('a copy instruction is out of range')
      const from = baseStart + offset
      if (length < FEW_BYTES) for (let i = 0; i < length; i++) out[outStart + to + i] = base[from + i] as number
      else if (isOneArray) out.copyWithin(outStart + to, from, from + length)
      else Buffer.prototype.copy.call(base, out, outStart + to, from, from + length)
      if (runs !== undefined) runs.add(to, offset, length)
      to += length
    } else {
      if (op === 0) throw corrupt('opcode 0 is reserved')
      if (at + op > end || to + op > outLength) throw corrupt('an insert instruction is out of range')
      for (let i = 0; i < op; i++) out[outStart + to + i] = delta[at + i] as number
      at += op
      to += op
    }
  }
  if (to !== outLength) throw corrupt(`it produces ${to} bytes instead of ${outLength}`)
}

const PIECE_BYTES = 64 * 1024
/** Longer copies come in several pieces, so that whoever takes them can pause in between. */
const MOST_BYTES = 1024 * 1024

/**
 * Applies `delta` to `base[start, start + baseLength)` and gives the result in pieces, in order, each good until the next is asked for: a
 * result that nothing is made from need not be held whole.
 * @throws GitError `corrupt` as `applyDeltaInto` does
 */
export function* deltaPieces(
  base: Uint8Array,
  start: number,
  baseLength: number,
  delta: Uint8Array,
  at: number,
  length: number,
): Generator<Uint8Array, void, undefined> {
  const scratch = Buffer.allocUnsafeSlow(PIECE_BYTES)
  let [held, made] = [0, 0]
  for (const op of deltaOps(delta, at)) {
    if (made + op.length > length) throw corrupt(op.isCopy ? 'a copy instruction is out of range' : 'an insert instruction is out of range')
    if (op.isCopy && op.from + op.length > baseLength) throw corrupt('a copy instruction is out of range')
    const bytes = op.isCopy ? base : delta
    const from = op.isCopy ? start + op.from : op.from
    made += op.length
    const isLong = op.length >= PIECE_BYTES / 2
    if (held > 0 && (isLong || held + op.length > PIECE_BYTES)) {
      yield scratch.subarray(0, held)
      held = 0
    }
    if (!isLong) {
      if (op.length < FEW_BYTES) for (let i = 0; i < op.length; i++) scratch[held + i] = bytes[from + i] as number
      else Buffer.prototype.copy.call(bytes, scratch, held, from, from + op.length)
      held += op.length
    }
    for (let done = isLong ? 0 : op.length; done < op.length; done += MOST_BYTES)
      yield bytes.subarray(from + done, from + Math.min(op.length, done + MOST_BYTES))
  }
  if (held > 0) yield scratch.subarray(0, held)
  if (made !== length) throw corrupt(`it produces ${made} bytes instead of ${length}`)
}

/** A copy from the base at `from`, or an insert of what lies in the delta at `from`. The same object is given each time. */
interface DeltaOp {
  isCopy: boolean
  from: number
  length: number
}

function* deltaOps(delta: Uint8Array, at: number): Generator<DeltaOp> {
  const op: DeltaOp = { isCopy: false, from: 0, length: 0 }
  while (at < delta.length) {
    const code = delta[at++] as number
    if (code === 0) throw corrupt('opcode 0 is reserved')
    op.isCopy = code >= 0x80
    op.from = op.isCopy ? 0 : at
    op.length = op.isCopy ? 0 : code
    if (op.isCopy) {
      for (let i = 0; i < 4; i++) if (code & (1 << i)) op.from += (delta[at++] as number) * 2 ** (8 * i)
      for (let i = 0; i < 3; i++) if (code & (0x10 << i)) op.length |= (delta[at++] as number) << (8 * i)
      if (op.length === 0) op.length = 0x10000
    } else {
      at += op.length
    }
    if (at > delta.length) throw corrupt(op.isCopy ? 'a copy instruction is out of range' : 'an insert instruction is out of range')
    yield op
  }
}

function corrupt(reason: string): GitError {
  return new GitError('corrupt', `Cannot apply delta: ${reason}`)
}
