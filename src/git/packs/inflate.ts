import type { Inflate } from 'node:zlib'
import { GitError } from '../errors.ts'
import { zlib } from '../zlib.ts'
import type { StreamWindow } from './window.ts'

export interface Inflated {
  data: Uint8Array
  /** Bytes of the zlib stream. */
  used: number
}

/** What is given to the inflater at a time: zeros become a thousand times as many, and others wait meanwhile. */
const STREAM_STEP = 16 * 1024
const CHUNK_BYTES = 256 * 1024

/** How many bytes a deflater in its right mind needs for `size` bytes that do not compress; source: zlib's `deflateBound`. */
export function deflatedAtMost(size: number): number {
  return size + Math.ceil(size / 4096) + Math.ceil(size / 16384) + 64
}

/**
 * The longest zlib stream that is taken in, and so has to be read, for `size` bytes. A stream may hold any number of empty blocks: one of megabytes
 * that makes ten bytes would be read as a whole each time somebody looks at them.
 */
export function longestDeflated(size: number): number {
  return 4 * deflatedAtMost(size) + 16 * 1024
}

/**
 * Inflates the zlib stream that `bytes` begin with. Answers undefined when `bytes` end before the stream does.
 * @throws GitError `corrupt` when the stream is bad or does not make exactly `size` bytes
 */
export function inflateWhole(bytes: Uint8Array, size: number): Inflated | undefined {
  let result: { buffer: Uint8Array; engine: { bytesWritten: number } }
  try {
    result = zlib().inflateSync(bytes, { info: true, maxOutputLength: size + 1, chunkSize: Math.max(64, size + 1) }) as never
  } catch (error) {
    if (codeOf(error) === 'Z_BUF_ERROR') return undefined
    throw codeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? wrongSize(size) : badStream(error)
  }
  if (result.buffer.length !== size) throw wrongSize(size)
  return { data: result.buffer, used: result.engine.bytesWritten }
}

/**
 * Inflates the zlib stream at the window's position piece by piece and moves the window past it. `onRead` gets the compressed bytes,
 * `onData` the inflated ones; neither may keep them.
 * @throws GitError `corrupt` when the stream is bad, cut off, or does not make exactly `size` bytes
 */
export async function inflateStream(
  window: StreamWindow,
  size: number,
  onRead: (bytes: Uint8Array) => void,
  onData: (bytes: Uint8Array) => void,
): Promise<void> {
  for await (const bytes of inflatePieces(window, size, onRead)) onData(bytes)
}

/** The same for who asks for one piece after the other. */
export async function* inflatePieces(window: StreamWindow, size: number, onRead: (bytes: Uint8Array) => void = () => {}): AsyncGenerator<Uint8Array> {
  const inflate = zlib().createInflate({ chunkSize: CHUNK_BYTES })
  const made: Uint8Array[] = []
  const pump = new InflatePump(inflate, size, (bytes) => made.push(bytes))
  try {
    while (!pump.ended) {
      if (window.available === 0) await window.fill(STREAM_STEP)
      if (window.available === 0) {
        // The inflater tells that it has all only when more comes, or nothing does.
        await pump.end()
        break
      }
      const step = window.view.subarray(window.at, window.at + STREAM_STEP)
      const used = await pump.write(step)
      onRead(step.subarray(0, used))
      window.at += used
      yield* made.splice(0)
    }
    yield* made.splice(0)
  } finally {
    inflate.destroy()
  }
  if (pump.made !== size) throw wrongSize(size)
}

/** Turns node's event-driven inflater into one awaited call a piece. */
class InflatePump {
  made = 0
  ended = false
  readonly #inflate: Inflate
  #fail: (error: unknown) => void = () => {}
  #finish: () => void = () => {}

  constructor(inflate: Inflate, size: number, onData: (bytes: Uint8Array) => void) {
    this.#inflate = inflate
    inflate.on('data', (data: Uint8Array) => {
      this.made += data.length
      if (this.made > size) inflate.destroy(wrongSize(size))
      else onData(data)
    })
    inflate.on('end', () => {
      this.ended = true
      this.#finish()
    })
    inflate.on('error', (error) => this.#fail(error instanceof GitError ? error : badStream(error)))
  }

  /** Resolves with the number of bytes of `step` that belonged to the stream. */
  async write(step: Uint8Array): Promise<number> {
    const before = this.#inflate.bytesWritten
    await new Promise<void>((resolve, reject) => {
      this.#fail = reject
      this.#finish = resolve
      this.#inflate.write(step, () => this.#inflate.flush(zlib().constants.Z_SYNC_FLUSH, resolve))
    })
    return this.#inflate.bytesWritten - before
  }

  /** Nothing comes any more. @throws GitError `corrupt` when something is missing */
  async end(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#fail = () => reject(new GitError('corrupt', 'Cannot inflate: the zlib stream is truncated'))
      this.#finish = resolve
      this.#inflate.end()
    })
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function wrongSize(size: number): GitError {
  return new GitError('corrupt', `Cannot inflate: the zlib stream does not have the ${size} bytes that its header declares`)
}

function badStream(error: unknown): GitError {
  return new GitError('corrupt', `Cannot inflate: bad zlib stream (${error instanceof Error ? error.message : String(error)})`)
}
