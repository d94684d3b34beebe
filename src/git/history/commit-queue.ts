/**
 * Commits waiting to be visited: highest generation first, then newest, then first come. Walks by date alone
 * leave the generation at 0. A binary heap in typed arrays: no allocation per commit.
 */
export class CommitQueue {
  #ids = new Int32Array(64)
  #generations = new Float64Array(64)
  #dates = new Float64Array(64)
  #order = new Float64Array(64)
  #size = 0
  #pushed = 0

  get size(): number {
    return this.#size
  }

  /** The date of what `pop` would give; -Infinity when empty. */
  get topDate(): number {
    return this.#size === 0 ? -Infinity : (this.#dates[0] as number)
  }

  /** The generation of what `pop` would give; -Infinity when empty. */
  get topGeneration(): number {
    return this.#size === 0 ? -Infinity : (this.#generations[0] as number)
  }

  push(id: number, date: number, generation = 0): void {
    if (this.#size === this.#ids.length) this.#grow()
    let hole = this.#size++
    const order = this.#pushed++
    while (hole > 0) {
      const parent = (hole - 1) >> 1
      if (!this.#isBefore(generation, date, order, parent)) break
      this.#move(parent, hole)
      hole = parent
    }
    this.#put(hole, id, generation, date, order)
  }

  /** All that waits, as `pop` would give it. */
  inOrder(): number[] {
    const places = Array.from({ length: this.#size }, (_, at) => at)
    const isBefore = (at: number, other: number) => this.#isBefore(this.#generations[at] as number, this.#dates[at] as number, this.#order[at] as number, other)
    return places.sort((a, b) => (isBefore(a, b) ? -1 : 1)).map((at) => this.#ids[at] as number)
  }

  /** The next commit, or -1 when none is left. */
  pop(): number {
    if (this.#size === 0) return -1
    const top = this.#ids[0] as number
    const last = --this.#size
    if (last > 0) this.#sink(last)
    return top
  }

  /** Takes the entry at `from` (just behind the heap) and finds its place from the top down. */
  #sink(from: number): void {
    const generation = this.#generations[from] as number
    const date = this.#dates[from] as number
    const order = this.#order[from] as number
    let hole = 0
    for (;;) {
      let child = 2 * hole + 1
      if (child >= this.#size) break
      const right = child + 1
      if (right < this.#size && this.#isBefore(this.#generations[right] as number, this.#dates[right] as number, this.#order[right] as number, child))
        child = right
      if (this.#isBefore(generation, date, order, child)) break
      this.#move(child, hole)
      hole = child
    }
    this.#put(hole, this.#ids[from] as number, generation, date, order)
  }

  #isBefore(generation: number, date: number, order: number, other: number): boolean {
    if (generation !== this.#generations[other]) return generation > (this.#generations[other] as number)
    if (date !== this.#dates[other]) return date > (this.#dates[other] as number)
    return order < (this.#order[other] as number)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#ids[from] as number, this.#generations[from] as number, this.#dates[from] as number, this.#order[from] as number)
  }

  #put(at: number, id: number, generation: number, date: number, order: number): void {
    this.#ids[at] = id
    this.#generations[at] = generation
    this.#dates[at] = date
    this.#order[at] = order
  }

  #grow(): void {
    const ids = new Int32Array(this.#ids.length * 2)
    ids.set(this.#ids)
    this.#ids = ids
    this.#generations = doubled(this.#generations)
    this.#dates = doubled(this.#dates)
    this.#order = doubled(this.#order)
  }
}

function doubled(from: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const to = new Float64Array(from.length * 2)
  to.set(from)
  return to
}
