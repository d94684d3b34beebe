/**
 * Pairs each row of a square matrix with a column of its own so that the sum of the costs is least. Of several best answers it finds the
 * one that git finds, since it goes the same way. Source: R. Jonker, A. Volgenant, "A Shortest Augmenting Path Algorithm for Dense and
 * Sparse Linear Assignment Problems" (1987).
 */
export function assign(costs: CostMatrix): Int32Array {
  return new Assignment(costs).solve()
}

/** Whole numbers, row by row; `size` rows of `size` columns. */
export interface CostMatrix {
  size: number
  values: Int32Array
}

const NONE = -1

class Assignment {
  readonly #size: number
  readonly #values: Int32Array
  /** What a column costs less than it says, for all rows alike. */
  readonly #prices: Int32Array
  readonly #rowOf: Int32Array
  readonly #columnOf: Int32Array
  #free: number[] = []

  constructor({ size, values }: CostMatrix) {
    this.#size = size
    this.#values = values
    this.#prices = new Int32Array(size)
    this.#rowOf = new Int32Array(size).fill(NONE)
    this.#columnOf = new Int32Array(size).fill(NONE)
  }

  /** @returns the row of each column */
  solve(): Int32Array {
    if (this.#size < 2) return this.#rowOf.fill(0)
    this.#transfer(this.#reduceColumns())
    for (let phase = 0; phase < 2 && this.#free.length > 0; phase++) this.#reduceRows()
    for (const row of this.#free) this.#augment(row)
    return this.#rowOf
  }

  #cost(column: number, row: number): number {
    return (this.#values[row * this.#size + column] as number) - (this.#prices[column] as number)
  }

  /** Gives each column, from the last one on, to its cheapest row, as long as that has none. @returns how many columns chose each row */
  #reduceColumns(): Int32Array {
    const chosen = new Int32Array(this.#size)
    for (let column = this.#size - 1; column >= 0; column--) {
      let best = 0
      for (let row = 1; row < this.#size; row++) if (this.#cost(column, row) < this.#cost(column, best)) best = row
      this.#prices[column] = this.#cost(column, best)
      if (chosen[best] === 0) this.#pair(best, column)
      chosen[best] = (chosen[best] as number) + 1
    }
    return chosen
  }

  /** A row that one column alone chose says how much dearer the next best would be. */
  #transfer(chosen: Int32Array): void {
    for (let row = 0; row < this.#size; row++) {
      if (chosen[row] === 0) this.#free.push(row)
      if (chosen[row] !== 1) continue
      const column = this.#columnOf[row] as number
      let least = Infinity
      for (let other = 0; other < this.#size; other++) if (other !== column) least = Math.min(least, this.#cost(other, row))
      this.#prices[column] = (this.#prices[column] as number) - least
    }
  }

  /** Rows without a column take the one that is best for them, also from another row, which then looks for its own. */
  #reduceRows(): void {
    const waiting = this.#free.reverse()
    const left: number[] = []
    for (let row = waiting.pop(); row !== undefined; row = waiting.pop()) {
      const { best, second, gap } = this.#bestTwo(row)
      let column = best
      if (gap > 0) this.#prices[best] = (this.#prices[best] as number) - gap
      else if (this.#rowOf[best] !== NONE) column = second
      const robbed = this.#rowOf[column] as number
      if (robbed !== NONE) (gap > 0 ? waiting : left).push(robbed)
      this.#pair(row, column)
    }
    this.#free = left
  }

  #bestTwo(row: number): { best: number; second: number; gap: number } {
    let [best, second] = [0, NONE]
    let [least, next] = [this.#cost(0, row), Infinity]
    for (let column = 1; column < this.#size; column++) {
      const cost = this.#cost(column, row)
      if (cost >= next) continue
      if (cost > least) [next, second] = [cost, column]
      else [next, second, least, best] = [least, best, cost, column]
    }
    return { best, second, gap: next - least }
  }

  /** Finds the cheapest way of giving a row a column when others give way to it. */
  #augment(start: number): void {
    const path = this.#shortestPath(start)
    for (const column of path.settled) this.#prices[column] = (this.#prices[column] as number) + (path.distances[column] as number) - path.length
    for (let column = path.end, row = NONE; row !== start; ) {
      row = path.from[column] as number
      const before = this.#columnOf[row] as number
      this.#pair(row, column)
      column = before
    }
  }

  /** From a row to the nearest column that has none, over columns that would change hands. */
  #shortestPath(start: number): { end: number; length: number; settled: readonly number[]; distances: Int32Array; from: Int32Array } {
    const distances = Int32Array.from({ length: this.#size }, (_, column) => this.#cost(column, start))
    const from = new Int32Array(this.#size).fill(start)
    // Before `low` columns are settled, from there to `up` they are as near as any, behind that they are farther.
    const columns = Array.from({ length: this.#size }, (_, column) => column)
    const found = (end: number, length: number, settled: number) => ({ end, length, settled: columns.slice(0, settled), distances, from })
    for (let [low, up] = [0, 0]; ; ) {
      const settled = low
      up = this.#nearest(columns, distances, low)
      const least = distances[columns[low] as number] as number
      for (let at = low; at < up; at++) if (this.#rowOf[columns[at] as number] === NONE) return found(columns[at] as number, least, settled)
      while (low < up) {
        const through = columns[low++] as number
        const row = this.#rowOf[through] as number
        const detour = least - this.#cost(through, row)
        for (let at = up; at < this.#size; at++) {
          const column = columns[at] as number
          const distance = this.#cost(column, row) + detour
          if (distance >= (distances[column] as number)) continue
          distances[column] = distance
          from[column] = row
          if (distance !== least) continue
          if (this.#rowOf[column] === NONE) return found(column, least, settled)
          columns[at] = columns[up] as number
          columns[up++] = column
        }
      }
    }
  }

  /** Brings the nearest columns from `low` on to the front. @returns where they end */
  #nearest(columns: number[], distances: Int32Array, low: number): number {
    let up = low + 1
    let least = distances[columns[low] as number] as number
    for (let at = up; at < this.#size; at++) {
      const column = columns[at] as number
      const distance = distances[column] as number
      if (distance > least) continue
      if (distance < least) up = low
      least = distance
      columns[at] = columns[up] as number
      columns[up++] = column
    }
    return up
  }

  #pair(row: number, column: number): void {
    this.#columnOf[row] = column
    this.#rowOf[column] = row
  }
}
