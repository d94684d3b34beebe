import { type Fingerprint, similarity, subtract } from './fingerprint.ts'
import { FirstGreatest } from './first-greatest.ts'

/** Lines that gave way to others; the fingerprints of the old ones lose what is matched. */
export interface Chunk {
  oldStart: number
  newStart: number
  old: Fingerprint[]
  new: Fingerprint[]
}

/** How far from its place in the chunk a line is looked for. */
const REACH = 10
const NOT_KNOWN = -1
const NOTHING = -2
/** Lines that are looked at again because one nearby was matched, at most; what is not matched by then stays unmatched. */
const MAX_VISITS = 30_000_000
/** Outweighs the distance, which only decides between lines that are equally similar. */
const SCALE = 1000

/**
 * For each new line, the old line that it is most like, or -1: the surest match first, then what lies above and below of it, so that
 * the order stays. Source: git's `blame.c`, `fuzzy_find_matching_lines_recurse`.
 */
export function matchLines(chunk: Chunk): Int32Array {
  const matcher = new Matcher(chunk)
  matcher.match()
  return matcher.result
}

/** Old lines and new ones, counted within the chunk, that are to be matched with one another. */
interface Box {
  oldFrom: number
  oldTo: number
  newFrom: number
  newTo: number
  /** Where in it lines may have to be looked at again. */
  from: number
  to: number
}

class Matcher {
  readonly result: Int32Array
  readonly #chunk: Chunk
  readonly #second: Int32Array
  readonly #certainty: Int32Array
  readonly #similarities: Int32Array
  readonly #reach: number
  readonly #newReach: number
  readonly #surest: FirstGreatest
  #visitsLeft = MAX_VISITS

  constructor(chunk: Chunk) {
    const [oldCount, newCount] = [chunk.old.length, chunk.new.length]
    this.#chunk = chunk
    this.#reach = Math.min(REACH, Math.max(0, oldCount - 1))
    this.#newReach = oldCount === 0 ? 0 : Math.floor(((2 * this.#reach + 1) * newCount - 1) / oldCount)
    this.result = new Int32Array(newCount).fill(-1)
    this.#second = new Int32Array(newCount).fill(-1)
    this.#certainty = new Int32Array(newCount).fill(NOT_KNOWN)
    this.#similarities = new Int32Array(newCount * (2 * this.#reach + 1)).fill(-1)
    this.#surest = new FirstGreatest(this.#certainty)
  }

  /** Without recursion: a commit that only indents a file anew changes all of its lines, and each match leaves two boxes. */
  match(): void {
    const { old, new: now } = this.#chunk
    if (old.length === 0 || now.length === 0) return
    const open: Box[] = [{ oldFrom: 0, oldTo: old.length, newFrom: 0, newTo: now.length, from: 0, to: now.length }]
    for (let box = open.pop(); box !== undefined && this.#visitsLeft > 0; box = open.pop()) this.#matchSurest(box, open)
  }

  /** Matches the surest line of a box; what lies above it is to be matched before what lies below. */
  #matchSurest({ oldFrom, oldTo, newFrom, newTo, from, to }: Box, open: Box[]): void {
    for (let line = from; line < to; line++) if (this.#certainty[line] === NOT_KNOWN) this.#findBest(line, oldFrom, oldTo)
    const surest = this.#surest.within(newFrom, newTo)
    if ((this.#certainty[surest] as number) < 0) return
    const old = (this.result[surest] as number) - this.#chunk.oldStart
    subtract(this.#chunk.old[old] as Fingerprint, this.#chunk.new[surest] as Fingerprint)
    const [low, high] = [Math.max(newFrom, surest - this.#newReach), Math.min(newTo, surest + this.#newReach + 1)]
    this.#visitsLeft -= to - from + high - low
    for (let line = low; line < high; line++) if (Math.abs(old - this.#closest(line)) <= this.#reach) this.#similarities[this.#cell(line, old)] = -1
    for (let line = low; line < surest; line++) if (this.#isBeyond(line, (match) => match >= (this.result[surest] as number))) this.#certainty[line] = NOT_KNOWN
    for (let line = surest + 1; line < high; line++)
      if (this.#isBeyond(line, (match) => match <= (this.result[surest] as number))) this.#certainty[line] = NOT_KNOWN
    if (surest + 1 < newTo) open.push({ oldFrom: old, oldTo, newFrom: surest + 1, newTo, from: surest + 1, to: high })
    if (surest > newFrom) open.push({ oldFrom, oldTo: old + 1, newFrom, newTo: surest, from: low, to: surest })
  }

  #isBeyond(line: number, isWrong: (match: number) => boolean): boolean {
    return (this.#certainty[line] as number) >= 0 && (isWrong(this.result[line] as number) || isWrong(this.#second[line] as number))
  }

  #findBest(line: number, oldFrom: number, oldTo: number): void {
    const closest = this.#closest(line)
    let [best, bestAt, second, secondAt] = [0, oldFrom, 0, oldFrom]
    for (let old = Math.max(oldFrom, closest - this.#reach); old < Math.min(oldTo, closest + this.#reach + 1); old++) {
      const cell = this.#cell(line, old)
      if ((this.#similarities[cell] as number) < 0)
        this.#similarities[cell] = similarity(this.#chunk.new[line] as Fingerprint, this.#chunk.old[old] as Fingerprint) * (SCALE - Math.abs(old - closest))
      const shared = this.#similarities[cell] as number
      if (shared > best) [second, secondAt, best, bestAt] = [best, bestAt, shared, old]
      else if (shared > second) [second, secondAt] = [shared, old]
    }
    this.#certainty[line] = best === 0 ? NOTHING : best * 2 - second
    this.result[line] = best === 0 ? -1 : this.#chunk.oldStart + bestAt
    if (best > 0) this.#second[line] = this.#chunk.oldStart + secondAt
    this.#surest.update(line)
  }

  /** The old line at the same height of the chunk. */
  #closest(line: number): number {
    return Math.trunc(((line * 2 + 1) * this.#chunk.old.length) / (this.#chunk.new.length * 2))
  }

  #cell(line: number, old: number): number {
    return old - this.#closest(line) + this.#reach + line * (2 * this.#reach + 1)
  }
}
