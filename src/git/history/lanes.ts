/** How one commit of a history stands in its graph; columns count from 0. */
export interface LaneRow {
  /** The commit's own column; -1 where the graph is too wide to show it. */
  column: number
  /** Columns that come from above and end in the commit: its children's. */
  into: number[]
  /** Columns that pass by. */
  through: number[]
  /** Columns that the commit's parents go on in. */
  out: number[]
}

/**
 * The graph of a history whose commits are placed one by one, newest first. A column stays where it is until its line ends, so that rows can be
 * drawn one by one. Where commits are dated before their parents a line ends early; beyond `maxLanes` nothing is drawn.
 */
export class Lanes {
  readonly #maxLanes: number
  /** By column, the commit that its line leads to; -1 for a free one. */
  readonly #lanes: number[] = []
  readonly #seen = new Set<number>()

  /** @param open commits that lines lead to already, and their columns */
  constructor(maxLanes: number, open: readonly { id: number; column: number }[] = []) {
    this.#maxLanes = maxLanes
    for (const { id, column } of open) {
      if (column < 0 || column >= maxLanes) continue
      while (this.#lanes.length <= column) this.#lanes.push(-1)
      this.#lanes[column] = id
    }
  }

  /** Lets the line of a commit go on to its parents. */
  place(id: number, parents: readonly number[]): LaneRow {
    this.#seen.add(id)
    const lanes = this.#lanes
    const into = lanes.flatMap((next, column) => (next === id ? [column] : []))
    const through = lanes.flatMap((next, column) => (next !== id && next !== -1 ? [column] : []))
    const column = into[0] ?? freeColumn(lanes, this.#maxLanes)
    for (const ended of into) lanes[ended] = -1
    const out = this.#goOn(
      parents.filter((parent) => !this.#seen.has(parent)),
      column,
    )
    while (lanes.at(-1) === -1) lanes.pop()
    return { column, into, through, out }
  }

  /** Of a commit that is still to come; -1 where no line leads to it. */
  columnOf(id: number): number {
    return this.#lanes.indexOf(id)
  }

  #goOn(parents: readonly number[], column: number): number[] {
    const out = new Set<number>()
    for (const [i, parent] of parents.entries()) {
      const known = this.#lanes.indexOf(parent)
      const next = known >= 0 ? known : i === 0 && column >= 0 ? column : freeColumn(this.#lanes, this.#maxLanes)
      if (next < 0) continue
      this.#lanes[next] = parent
      out.add(next)
    }
    return [...out]
  }
}

/** The leftmost column that no line is in; -1 when there are too many. */
function freeColumn(lanes: readonly number[], maxLanes: number): number {
  const free = lanes.indexOf(-1)
  return free >= 0 ? free : lanes.length < maxLanes ? lanes.length : -1
}
