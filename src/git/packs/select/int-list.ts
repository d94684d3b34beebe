/** A growing list of whole numbers below 2^32, four bytes each. */
export class IntList {
  #items = new Uint32Array(256)
  #length = 0

  get length(): number {
    return this.#length
  }

  push(item: number): void {
    if (this.#length === this.#items.length) this.#grow()
    this.#items[this.#length++] = item
  }

  /** The last item, taken off; undefined when there is none. */
  pop(): number | undefined {
    return this.#length === 0 ? undefined : this.#items[--this.#length]
  }

  clear(): void {
    this.#length = 0
  }

  at(index: number): number {
    return this.#items[index] as number
  }

  /** The items as they lie; valid until the next push. */
  view(): Uint32Array {
    return this.#items.subarray(0, this.#length)
  }

  #grow(): void {
    const items = new Uint32Array(this.#items.length * 2)
    items.set(this.#items)
    this.#items = items
  }
}
