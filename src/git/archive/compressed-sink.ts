import { constants, createGzip, createZstdCompress } from 'node:zlib'
import type { ByteSink } from './byte-sink.ts'
import { ZlibPump } from './zlib-pump.ts'

/** zlib's own default, and what `git archive` takes. */
const GZIP_LEVEL = 6
/** zstd's own default. */
const ZSTD_LEVEL = 3
const PIECE_BYTES = 128 * 1024

/** A gzip stream without a name or a time in it: the same bytes for the same content. */
export function gzipSink(sink: ByteSink): ByteSink & Disposable {
  return new CompressedSink(new ZlibPump(createGzip({ level: GZIP_LEVEL, chunkSize: PIECE_BYTES })), sink)
}

export function zstdSink(sink: ByteSink): ByteSink & Disposable {
  return new CompressedSink(new ZlibPump(createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } })), sink)
}

/** Compresses on another thread while the next bytes are gathered; what comes out waits for that, one step's worth at most. */
class CompressedSink implements ByteSink, Disposable {
  readonly #pump: ZlibPump
  readonly #sink: ByteSink
  #step: Promise<void> = Promise.resolve()

  constructor(pump: ZlibPump, sink: ByteSink) {
    this.#pump = pump
    this.#sink = sink
  }

  async write(bytes: Uint8Array): Promise<void> {
    await this.#pass()
    this.#step = this.#pump.write(bytes)
    // It is awaited by the next call; until then a failure must not count as unhandled.
    this.#step.catch(() => {})
  }

  async end(): Promise<void> {
    await this.#pass()
    await this.#pump.end()
    await this.#pass()
    await this.#sink.end()
  }

  [Symbol.dispose](): void {
    this.#pump[Symbol.dispose]()
  }

  /** Waits for the step under way and hands on what it made. */
  async #pass(): Promise<void> {
    await this.#step
    for (const bytes of this.#pump.take()) await this.#sink.write(bytes)
  }
}
