const FIRST_BYTES = 64 * 1024

/** Changed-path filters by row, set in any order and kept in one buffer: a million small arrays would take a hundred megabytes. */
export class FilterList {
  readonly count: number
  readonly #starts: Uint32Array
  readonly #lengths: Uint32Array
  #bytes = Buffer.alloc(FIRST_BYTES)
  #total = 0

  constructor(count: number) {
    this.count = count
    this.#starts = new Uint32Array(count)
    this.#lengths = new Uint32Array(count)
  }

  /** The size of all filters together, in bytes. */
  get totalBytes(): number {
    return this.#total
  }

  /** Call once for each row. */
  set(row: number, filter: Uint8Array): void {
    const end = this.#total + filter.length
    if (end > this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], Math.max(end, 2 * this.#bytes.length))
    this.#bytes.set(filter, this.#total)
    this.#starts[row] = this.#total
    this.#lengths[row] = filter.length
    this.#total = end
  }

  lengthAt(row: number): number {
    return this.#lengths[row] as number
  }

  at(row: number): Uint8Array {
    const start = this.#starts[row] as number
    return this.#bytes.subarray(start, start + this.lengthAt(row))
  }
}
