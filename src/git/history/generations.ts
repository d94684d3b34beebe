import { breathe, isDue } from '#kernel/breathe.ts'
import type { CommitSource } from './commit-source.ts'

/** The highest level that a row has room for; git caps there too. */
const MAX_LEVEL = 0x3fffffff
/** Rows keep 34 bits of a date. */
const DATE_LIMIT = 2 ** 34

/** By commit id; 0 for commits that were not asked for. */
export interface Generations {
  /** 1 for a root, else one more than the highest parent's. */
  levels: Int32Array
  /** The commit's date, or one more than the highest corrected date of a parent, whichever is later. */
  correctedDates: Float64Array
}

/** What a commit-graph keeps of a committer date, in seconds. */
export function storedDate(date: number): number {
  return Math.max(0, date) % DATE_LIMIT
}

/**
 * The generation numbers of `ids`, which must hold all their ancestors: those in the source's graph as it has them
 * (it must have corrected dates), the others computed.
 */
export async function generationsOf(source: CommitSource, ids: readonly number[]): Promise<Generations> {
  const generations = { levels: new Int32Array(source.size), correctedDates: new Float64Array(source.size) }
  const { graph } = source
  let count = 0
  for (const id of ids) {
    if (graph !== undefined && id < graph.count) {
      generations.levels[id] = Math.max(1, graph.level(id))
      generations.correctedDates[id] = graph.generation(id)
    }
  }
  for (const id of ids) {
    if (generations.levels[id] === 0) computeUpTo(source, id, generations)
    if (++count % 1024 === 0 && isDue()) await breathe()
  }
  return generations
}

/** Depth first without recursion: a commit is computed when none of its parents is left to do. */
function computeUpTo(source: CommitSource, tip: number, generations: Generations): void {
  const stack = [tip]
  while (stack.length > 0) {
    const id = stack[stack.length - 1] as number
    const before = stack.length
    // One by one: a commit may name a million.
    for (const parent of source.parents(id)) if (generations.levels[parent] === 0) stack.push(parent)
    if (stack.length > before) continue
    stack.pop()
    if (generations.levels[id] === 0) compute(source, id, generations)
  }
}

function compute(source: CommitSource, id: number, { levels, correctedDates }: Generations): void {
  let level = 1
  let corrected = storedDate(source.date(id))
  for (const parent of source.parents(id)) {
    level = Math.max(level, (levels[parent] as number) + 1)
    corrected = Math.max(corrected, (correctedDates[parent] as number) + 1)
  }
  levels[id] = Math.min(level, MAX_LEVEL)
  correctedDates[id] = corrected
}
