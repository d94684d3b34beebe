/** Takes bytes one call after another; resolves when it is ready for more. The bytes are its own from then on. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void> | void
  /** Nothing follows; resolves when all has gone out. */
  end(): Promise<void> | void
}

const CHUNK_BYTES = 128 * 1024

/** Gathers what archive writers make into chunks of an eighth of a megabyte, each handed over for good. */
export class ChunkWriter {
  readonly #sink: ByteSink
  #chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  #at = 0
  /** Bytes taken so far: the offset of the next. */
  offset = 0

  constructor(sink: ByteSink) {
    this.#sink = sink
  }

  /** Copies `bytes`. A promise must be awaited before the next call. */
  write(bytes: Uint8Array): Promise<void> | undefined {
    this.offset += bytes.length
    if (bytes.length >= CHUNK_BYTES - this.#at) return this.#writeOn(bytes)
    this.#chunk.set(bytes, this.#at)
    this.#at += bytes.length
    return undefined
  }

  async end(): Promise<void> {
    if (this.#at > 0) await this.#sink.write(new Uint8Array(this.#chunk.subarray(0, this.#at)))
    await this.#sink.end()
  }

  async #writeOn(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const piece = bytes.subarray(from, from + CHUNK_BYTES - this.#at)
      this.#chunk.set(piece, this.#at)
      this.#at += piece.length
      from += piece.length
      if (this.#at === CHUNK_BYTES) await this.#flush()
    }
  }

  async #flush(): Promise<void> {
    const full = this.#chunk
    this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    this.#at = 0
    await this.#sink.write(full)
  }
}
