import { GitError } from '../errors.ts'

/** Most pushes are small; for any other it grows to what is read at a time of a large one. */
const FIRST_WINDOW_BYTES = 64 * 1024
const FULL_WINDOW_BYTES = 512 * 1024

/** Gets every byte of the pack once, in order; the bytes are only good until it resolves. */
export type ByteSink = (bytes: Uint8Array) => Promise<void> | void

/** A sliding view of a stream: what has been read past goes to the sink, what has not been stays contiguous. */
export class StreamWindow {
  /** What is buffered; only bytes from `at` on are unread. */
  view: Uint8Array
  /** The reader's position in `view`. */
  at = 0
  /** True once the source has no more bytes than are in `view`. */
  ended = false
  #buffer: Uint8Array
  #viewOffset = 0
  readonly #source: AsyncIterator<Uint8Array>
  readonly #sink: ByteSink
  readonly #maxBytes: number

  constructor(source: AsyncIterable<Uint8Array>, sink: ByteSink, maxBytes: number) {
    this.#source = source[Symbol.asyncIterator]()
    this.#sink = sink
    this.#maxBytes = maxBytes
    this.#buffer = Buffer.allocUnsafeSlow(FIRST_WINDOW_BYTES)
    this.view = this.#buffer.subarray(0, 0)
  }

  /** The reader's position in the stream. */
  get offset(): number {
    return this.#viewOffset + this.at
  }

  /** Unread bytes in `view`. */
  get available(): number {
    return this.view.length - this.at
  }

  /**
   * Reads on until `wanted` unread bytes are in `view` or the source has ended.
   * @throws GitError `limit` when the stream is longer than allowed
   */
  async fill(wanted: number): Promise<void> {
    await this.#flush()
    while (this.available < wanted && !this.ended) {
      const next = await this.#source.next()
      if (next.done) this.ended = true
      else this.#append(next.value, wanted)
    }
  }

  /** Ends the source early: no more is wanted. */
  async cancel(): Promise<void> {
    if (!this.ended) await this.#source.return?.()
  }

  /** Hands everything before `at` to the sink. */
  async #flush(): Promise<void> {
    if (this.at === 0) return
    await this.#sink(this.view.subarray(0, this.at))
    this.#buffer.copyWithin(0, this.at, this.view.length)
    this.#viewOffset += this.at
    this.view = this.#buffer.subarray(0, this.view.length - this.at)
    this.at = 0
  }

  #append(chunk: Uint8Array, wanted: number): void {
    const length = this.view.length + chunk.length
    if (this.#viewOffset + length > this.#maxBytes) throw new GitError('limit', `Cannot accept pack: it is larger than the limit of ${this.#maxBytes} bytes`)
    if (length > this.#buffer.length) this.#grow(Math.max(length, wanted + chunk.length, FULL_WINDOW_BYTES))
    this.#buffer.set(chunk, this.view.length)
    this.view = this.#buffer.subarray(0, length)
  }

  #grow(length: number): void {
    const grown = Buffer.allocUnsafeSlow(length)
    grown.set(this.view)
    this.#buffer = grown
  }
}
