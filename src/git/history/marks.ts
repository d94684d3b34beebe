/** Commits that a walk in steps visits in one: read one by one, without a commit-graph, they take a millisecond or two. */
export const COMMITS_IN_STEP = 64

/** Eight flags for each commit id; grows as ids do. */
export class Marks {
  #bits: Uint8Array<ArrayBuffer>

  /** @param ids how many ids there are so far */
  constructor(ids: number) {
    this.#bits = new Uint8Array(ids + 64)
  }

  of(id: number): number {
    return id < this.#bits.length ? (this.#bits[id] as number) : 0
  }

  has(id: number, bits: number): boolean {
    return (this.of(id) & bits) === bits
  }

  add(id: number, bits: number): void {
    if (id >= this.#bits.length) this.#grow(id)
    this.#bits[id] = (this.#bits[id] as number) | bits
  }

  remove(id: number, bits: number): void {
    if (id < this.#bits.length) this.#bits[id] = (this.#bits[id] as number) & ~bits
  }

  #grow(id: number): void {
    const bits = new Uint8Array(Math.max(id + 1, this.#bits.length * 2))
    bits.set(this.#bits)
    this.#bits = bits
  }
}
