import { isDue } from '#kernel/breathe.ts'
import type { Steps } from '../steps.ts'
import { type LineChange, lineChanges } from './line-changes.ts'
import type { WorkBudget } from './work-budget.ts'

/** What the merged file has in place of a stretch that at least one side changed; `same`: both have the same there, after all. */
export type Taken = 'conflict' | 'ours' | 'theirs' | 'both' | 'same'

/** A stretch of the three files; what lies between two hunks is the same in ours and in the merged file. */
export interface Hunk {
  take: Taken
  base: number
  baseCount: number
  ours: number
  oursCount: number
  theirs: number
  theirsCount: number
}

/** The lines of the three files, as numbers that equal lines share. */
export interface ThreeFiles {
  base: Int32Array
  ours: Int32Array
  theirs: Int32Array
  /** All numbers are below this. */
  ids: number
}

export interface ThreeWayOptions {
  /** Keep whole what both sides changed, because the base is shown with it: conflicts are not narrowed down. */
  keepWhole?: boolean
  budget: WorkBudget
}

/** Gaps between conflicts of at most so many lines become part of them. */
const SHORT_GAP = 3

/**
 * The hunks of a three-way merge in order: nothing when neither side changed anything. Source: `xdl_do_merge` of `xdiff/xmerge.c` at the level
 * that git merges with (`XDL_MERGE_ZEALOUS`).
 */
export function* threeWayHunks(files: ThreeFiles, { keepWhole = false, budget }: ThreeWayOptions): Steps<Hunk[]> {
  const ours = yield* lineChanges(files.base, files.ours, files.ids, budget)
  const theirs = yield* lineChanges(files.base, files.theirs, files.ids, budget)
  const hunks = new Pairing(files, ours, theirs).run()
  if (keepWhole) return hunks
  const narrowed: Hunk[] = []
  for (const hunk of hunks) {
    if (hunk.take !== 'conflict') narrowed.push(hunk)
    else for (const part of yield* narrow(hunk, files, budget)) narrowed.push(part)
    if (isDue()) yield
  }
  return joinNear(narrowed)
}

/** Goes through the changes of both sides at once; those that touch become one hunk. */
class Pairing {
  readonly #files: ThreeFiles
  readonly #ours: LineChange[]
  readonly #theirs: LineChange[]
  readonly #hunks: Hunk[] = []

  constructor(files: ThreeFiles, ours: LineChange[], theirs: LineChange[]) {
    this.#files = files
    this.#ours = ours
    this.#theirs = theirs
  }

  run(): Hunk[] {
    let [i, j] = [0, 0]
    // How far the lines of a side lie from those of the base behind its last change.
    let [oursShift, theirsShift] = [0, 0]
    while (i < this.#ours.length || j < this.#theirs.length) {
      const [our, their] = [this.#ours[i], this.#theirs[j]]
      if (our !== undefined && (their === undefined || our.a + our.aCount < their.a)) {
        this.#add({ take: 'ours', ...span(our), ours: our.b, oursCount: our.bCount, theirs: our.a + theirsShift, theirsCount: our.aCount })
        oursShift = shiftBehind(our)
        i++
      } else if (their !== undefined && (our === undefined || their.a + their.aCount < our.a)) {
        this.#add({ take: 'theirs', ...span(their), ours: their.a + oursShift, oursCount: their.aCount, theirs: their.b, theirsCount: their.bCount })
        theirsShift = shiftBehind(their)
        j++
      } else if (our !== undefined && their !== undefined) {
        if (!this.#isSame(our, their)) this.#add(overlap(our, their))
        const [ourEnd, theirEnd] = [our.a + our.aCount, their.a + their.aCount]
        if (ourEnd >= theirEnd) j++
        if (theirEnd >= ourEnd) i++
        if (ourEnd >= theirEnd) theirsShift = shiftBehind(their)
        if (theirEnd >= ourEnd) oursShift = shiftBehind(our)
      }
    }
    return this.#hunks
  }

  #isSame(our: LineChange, their: LineChange): boolean {
    if (our.a !== their.a || our.aCount !== their.aCount || our.bCount !== their.bCount) return false
    for (let k = 0; k < our.bCount; k++) if (this.#files.ours[our.b + k] !== this.#files.theirs[their.b + k]) return false
    return true
  }

  #add(hunk: Hunk): void {
    const last = this.#hunks.at(-1)
    if (last === undefined || (hunk.ours > last.ours + last.oursCount && hunk.theirs > last.theirs + last.theirsCount)) {
      this.#hunks.push(hunk)
      return
    }
    if (last.take !== hunk.take) last.take = 'conflict'
    last.baseCount = hunk.base + hunk.baseCount - last.base
    last.oursCount = hunk.ours + hunk.oursCount - last.ours
    last.theirsCount = hunk.theirs + hunk.theirsCount - last.theirs
  }
}

function span(change: LineChange): { base: number; baseCount: number } {
  return { base: change.a, baseCount: change.aCount }
}

function shiftBehind(change: LineChange): number {
  return change.b + change.bCount - (change.a + change.aCount)
}

/** The conflict of two changes that touch: from where the first begins to where the last ends. */
function overlap(our: LineChange, their: LineChange): Hunk {
  const base = Math.min(our.a, their.a)
  const end = Math.max(our.a + our.aCount, their.a + their.aCount)
  const [ours, theirs] = [our.b - (our.a - base), their.b - (their.a - base)]
  const oursCount = our.b + our.bCount + (end - our.a - our.aCount) - ours
  const theirsCount = their.b + their.bCount + (end - their.a - their.aCount) - theirs
  return { take: 'conflict', base, baseCount: end - base, ours, oursCount, theirs, theirsCount }
}

/** Takes out of a conflict what both sides have alike. */
function* narrow(hunk: Hunk, files: ThreeFiles, budget: WorkBudget): Steps<Hunk[]> {
  if (hunk.oursCount === 0 || hunk.theirsCount === 0) return [hunk]
  const ours = files.ours.subarray(hunk.ours, hunk.ours + hunk.oursCount)
  const theirs = files.theirs.subarray(hunk.theirs, hunk.theirs + hunk.theirsCount)
  const changes = yield* lineChanges(ours, theirs, files.ids, budget)
  if (changes.length === 0) return [{ ...hunk, take: 'same' }]
  return changes.map(({ a, aCount, b, bCount }) => ({
    ...hunk,
    ...{ ours: hunk.ours + a, oursCount: aCount, theirs: hunk.theirs + b, theirsCount: bCount },
  }))
}

/** A conflict is easier to read in one piece than in two with a line or two between them. */
function joinNear(hunks: Hunk[]): Hunk[] {
  const joined: Hunk[] = []
  for (const hunk of hunks) {
    const last = joined.at(-1)
    const isNear = last?.take === 'conflict' && hunk.take === 'conflict' && hunk.ours - (last.ours + last.oursCount) <= SHORT_GAP
    if (last === undefined || !isNear) joined.push(hunk)
    else {
      last.oursCount = hunk.ours + hunk.oursCount - last.ours
      last.theirsCount = hunk.theirs + hunk.theirsCount - last.theirs
    }
  }
  return joined
}
