import { zlib } from '../zlib.ts'
import { ZlibEngine } from './zlib-engine.ts'

/** One for each thread. */
let engine: ZlibEngine | undefined

/**
 * Inflates the zlib stream that `from[at, end)` begin with into `to[start, start + size]`, where there must be room for a byte more.
 * @returns the bytes of the stream; 0 when it is bad, is cut off or does not make just `size` bytes: other inflaters tell which
 */
export function inflateInto(from: Uint8Array, at: number, end: number, to: Uint8Array, start: number, size: number): number {
  engine ??= new ZlibEngine(zlib().createInflate())
  const { hasFailed, made, taken } = engine.run(from, at, end, to, start, size + 1)
  return hasFailed || made !== size ? 0 : taken
}
