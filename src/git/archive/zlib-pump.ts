import type { Transform } from 'node:stream'

/** A compressor or decompressor of node's, its events turned into one awaited call a step. */
export class ZlibPump implements Disposable {
  /** What follows a compressed stream's own end is not looked at. */
  isOver = false
  readonly #stream: Transform
  #made: Uint8Array[] = []
  #finish: () => void = () => {}
  #fail: (error: unknown) => void = () => {}

  constructor(stream: Transform) {
    this.#stream = stream
    stream.on('data', (bytes: Uint8Array) => this.#made.push(bytes))
    stream.on('error', (error) => this.#fail(error))
    stream.on('end', () => {
      this.isOver = true
      this.#finish()
    })
  }

  /** Resolves when `bytes` have been taken in; until then they must stay as they are. */
  write(bytes: Uint8Array): Promise<void> {
    return this.#step((done) => this.#stream.write(bytes, done))
  }

  /** Resolves when all that there is has been made. */
  end(): Promise<void> {
    return this.#step(() => this.#stream.end())
  }

  /** What has been made since it was last asked for. */
  take(): Uint8Array[] {
    return this.#made.splice(0)
  }

  [Symbol.dispose](): void {
    this.#stream.destroy()
  }

  #step(begin: (done: () => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#finish = resolve
      this.#fail = reject
      begin(resolve)
    })
  }
}

/** What a compressor or decompressor makes of `source`, step by step. The stream is destroyed when the reader stops early. */
export async function* zlibPieces(stream: Transform, source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  using pump = new ZlibPump(stream)
  for await (const piece of source) {
    await pump.write(piece)
    yield* pump.take()
    if (pump.isOver) return
  }
  await pump.end()
  yield* pump.take()
}
