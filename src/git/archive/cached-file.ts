import type { FileHandle } from 'node:fs/promises'

const PIECE_BYTES = 128 * 1024

/** A whole file, held open: it can be read to its end whatever becomes of its name. Read it once, or dispose of it. */
export class CachedFile implements AsyncDisposable {
  /** Bytes. */
  readonly size: number
  readonly #handle: FileHandle
  #isClosed = false

  constructor(handle: FileHandle, size: number) {
    this.#handle = handle
    this.size = size
  }

  /** The bytes `[from, to)`. The file is closed when they have been read, or their reader gives up. */
  stream(from = 0, to = this.size): ReadableStream<Uint8Array> {
    let at = from
    return new ReadableStream({
      pull: async (controller) => {
        const bytes = at < to ? await this.#read(at, Math.min(PIECE_BYTES, to - at)) : undefined
        if (bytes === undefined) {
          await this[Symbol.asyncDispose]()
          controller.close()
          return
        }
        at += bytes.length
        controller.enqueue(bytes)
      },
      cancel: () => this[Symbol.asyncDispose](),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    await this.#handle.close()
  }

  async #read(at: number, length: number): Promise<Uint8Array> {
    const { bytesRead, buffer } = await this.#handle.read(new Uint8Array(length), 0, length, at)
    if (bytesRead > 0) return buffer.subarray(0, bytesRead)
    await this[Symbol.asyncDispose]()
    throw new Error('Cannot read cached archive: it has become shorter')
  }
}
