const encoder = new TextEncoder()

/** Bytes put together piece by piece. */
export class ByteWriter {
  readonly #size: number
  #buffer: Uint8Array<ArrayBuffer>
  #length = 0

  constructor(size = 4096) {
    this.#size = size
    this.#buffer = new Uint8Array(size)
  }

  get length(): number {
    return this.#length
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** The part of `data` from `start` to `end`. */
  part(data: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.#reserve(length)
    if (length > 64) this.#buffer.set(data.subarray(start, end), this.#length)
    else for (let from = start, to = this.#length; from < end; ) this.#buffer[to++] = data[from++] as number
    this.#length += length
  }

  byte(byte: number): void {
    this.#reserve(1)
    this.#buffer[this.#length++] = byte
  }

  /** As UTF-8. */
  text(text: string): void {
    this.#reserve(text.length * 3)
    this.#length += encoder.encodeInto(text, this.#buffer.subarray(this.#length)).written
  }

  /** What has been written since the last time; the writer goes on empty, and holds no more than at first. */
  take(): Uint8Array<ArrayBuffer> {
    const isGrown = this.#buffer.length > this.#size
    const taken = isGrown ? this.#buffer.subarray(0, this.#length) : this.#buffer.slice(0, this.#length)
    if (isGrown) this.#buffer = new Uint8Array(this.#size)
    this.#length = 0
    return taken
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return
    const grown = new Uint8Array(Math.max(this.#buffer.length * 2, this.#length + more))
    grown.set(this.#buffer.subarray(0, this.#length))
    this.#buffer = grown
  }
}
