import type { CommitSource } from './commit-source.ts'
import { type WalkOptions, walkCommits } from './walk.ts'

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
 * The ids of commits in the order of `walkCommits`, each with its row of the graph. A column stays where it is until its line ends, so that
 * rows can be drawn one by one. Where commits are dated before their parents a line ends early; beyond `maxLanes` nothing is drawn.
 */
export function* walkLanes(source: CommitSource, options: WalkOptions, maxLanes: number): Generator<{ id: number; row: LaneRow }, void, undefined> {
  const { skip = 0, limit = Infinity, ...range } = options
  /** By column, the commit that its line leads to; -1 for a free one. */
  const lanes: number[] = []
  const seen = new Set<number>()
  let at = 0
  for (const id of walkCommits(source, { ...range, limit: skip + limit })) {
    seen.add(id)
    const parents = [...source.parents(id)].filter((parent) => !seen.has(parent))
    const row = step(lanes, id, parents, maxLanes)
    if (at++ >= skip) yield { id, row }
  }
}

/** Lets the line of `id` go on to its parents. */
function step(lanes: number[], id: number, parents: readonly number[], maxLanes: number): LaneRow {
  const into = lanes.flatMap((next, column) => (next === id ? [column] : []))
  const through = lanes.flatMap((next, column) => (next !== id && next !== -1 ? [column] : []))
  const column = into[0] ?? freeColumn(lanes, maxLanes)
  for (const ended of into) lanes[ended] = -1
  const out = new Set<number>()
  for (const [i, parent] of parents.entries()) {
    const known = lanes.indexOf(parent)
    const next = known >= 0 ? known : i === 0 && column >= 0 ? column : freeColumn(lanes, maxLanes)
    if (next < 0) continue
    lanes[next] = parent
    out.add(next)
  }
  while (lanes.at(-1) === -1) lanes.pop()
  return { column, into, through, out: [...out] }
}

/** The leftmost column that no line is in; -1 when there are too many. */
function freeColumn(lanes: readonly number[], maxLanes: number): number {
  const free = lanes.indexOf(-1)
  return free >= 0 ? free : lanes.length < maxLanes ? lanes.length : -1
}
