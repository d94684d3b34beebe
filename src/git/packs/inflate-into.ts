import type { Inflate } from 'node:zlib'
import { zlib } from '../zlib.ts'

/** Of node's inflater, what no document names: one step of zlib's own, into memory that is there. */
interface Handle {
  onerror: () => void
  reset(): void
  writeSync(flush: number, from: Uint8Array, at: number, length: number, to: Uint8Array, start: number, room: number): void
}

/** `Z_FINISH`: all of the stream is there. */
const FINISH = 4

/** Made once for each thread: to make an inflater takes longer than most objects of a pack take to inflate. */
let known: { inflate: Inflate; handle: Handle; left: Uint32Array; hasFailed: boolean } | undefined

/**
 * Inflates the zlib stream that `from[at, end)` begin with into `to[start, start + size]`, where there must be room for a byte more.
 * @returns the bytes of the stream; 0 when it is bad, is cut off or does not make just `size` bytes: other inflaters tell which
 */
export function inflateInto(from: Uint8Array, at: number, end: number, to: Uint8Array, start: number, size: number): number {
  const { handle, left } = (known ??= makeInflater())
  known.hasFailed = false
  handle.reset()
  handle.writeSync(FINISH, from, at, end - at, to, start, size + 1)
  const [roomLeft, bytesLeft] = left as Uint32Array & [number, number]
  return known.hasFailed || roomLeft !== 1 ? 0 : end - at - bytesLeft
}

function makeInflater(): NonNullable<typeof known> {
  const inflate = zlib().createInflate()
  const { _handle: handle, _writeState: left } = inflate as unknown as { _handle: Handle; _writeState: Uint32Array }
  const made = { inflate, handle, left, hasFailed: false }
  handle.onerror = () => {
    made.hasFailed = true
  }
  return made
}
