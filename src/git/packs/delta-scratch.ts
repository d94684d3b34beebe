/** Buffers up to this length are kept from one use to the next. */
const MAX_KEPT = 1024 * 1024

/**
 * Room for results that are only bases of the next: two buffers by turns, so that the last result but one is overwritten.
 * Saves the allocation, whose pages cost more than the copying.
 */
export class DeltaScratch {
  readonly #buffers = [new Uint8Array(), new Uint8Array()]
  #turn = 0

  readonly roomFor = (length: number): Uint8Array => {
    if (length > MAX_KEPT) return Buffer.allocUnsafeSlow(length)
    this.#turn = 1 - this.#turn
    let buffer = this.#buffers[this.#turn] as Uint8Array
    if (buffer.length < length) this.#buffers[this.#turn] = buffer = Buffer.allocUnsafeSlow(Math.min(2 * length, MAX_KEPT))
    return buffer.subarray(0, length)
  }
}
