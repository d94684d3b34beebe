import type { Deflate, Inflate } from 'node:zlib'

/** Of node's streams of zlib, what no document names: one step of zlib's own, into memory that is there. */
interface Parts {
  _handle: {
    onerror: () => void
    reset(): void
    writeSync(flush: number, from: Uint8Array, at: number, length: number, to: Uint8Array, start: number, room: number): void
  }
  /** How much room and how much input the last step left. */
  _writeState: Uint32Array & [number, number]
}

/** `Z_FINISH`: all of the stream is there. */
const FINISH = 4

/** What one run took and made, in bytes. Good until the next. */
export interface EngineRun {
  hasFailed: boolean
  taken: number
  made: number
}

/**
 * An inflater or deflater of zlib for stream after stream, each in one go: to make one takes longer than most objects of a pack take to go through,
 * and a quarter of a megabyte that stays until it is collected.
 */
export class ZlibEngine {
  readonly #run: EngineRun = { hasFailed: false, taken: 0, made: 0 }
  readonly #stream: Parts

  constructor(stream: Inflate | Deflate) {
    this.#stream = stream as unknown as Parts
    this.#stream._handle.onerror = () => {
      this.#run.hasFailed = true
    }
  }

  /** Puts what comes of `from[at, end)` into `to` from `start` on, where there are `room` bytes. */
  run(from: Uint8Array, at: number, end: number, to: Uint8Array, start: number, room: number): EngineRun {
    const { _handle: handle, _writeState: left } = this.#stream
    const run = this.#run
    run.hasFailed = false
    handle.reset()
    handle.writeSync(FINISH, from, at, end - at, to, start, room)
    run.made = room - left[0]
    run.taken = end - at - left[1]
    return run
  }
}
