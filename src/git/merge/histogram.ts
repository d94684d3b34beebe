import { isDue } from '#kernel/breathe.ts'
import { compare } from '../diff/line-diff.ts'
import type { Steps } from '../steps.ts'
import type { WorkBudget } from './work-budget.ts'

/** Two sequences of line numbers, and for each line whether it is changed; ranges are half-open. */
export interface DiffSides {
  a: Int32Array
  b: Int32Array
  changedA: Uint8Array
  changedB: Uint8Array
}

/** Lines more frequent than this are no anchors. */
const MAX_CHAIN = 64

/** The clock is looked at after so many steps: about a millisecond. */
const STEPS_BETWEEN_LOOKS = 200_000

/** A stretch of lines that both sides have; ends are inclusive. */
interface Common {
  a: number
  b: number
  length: number
}

/**
 * Marks what changed by histogram diff, which git's `ort` merges with: the longest common stretch around the rarest line is kept, and both
 * sides of it are compared likewise; stretches where all common lines are frequent are left to Myers. Source: `xdiff/xhistogram.c`.
 */
export class HistogramDiff {
  readonly #sides: DiffSides
  readonly #budget: WorkBudget
  /** By line number: the first place in the range of `a`, from 1 on, and how often it occurs there. */
  readonly #first: Int32Array
  readonly #counts: Int32Array
  /** By place in `a`, from 1 on: the next one of an equal line, 0 for none. */
  readonly #next: Int32Array
  /** Steps since the clock was looked at. */
  #unlooked = 0

  /** @param ids all line numbers are below this */
  constructor(sides: DiffSides, ids: number, budget: WorkBudget) {
    this.#sides = sides
    this.#budget = budget
    this.#first = new Int32Array(ids)
    this.#counts = new Int32Array(ids)
    this.#next = new Int32Array(sides.a.length + 1)
  }

  /** Compares `a[a0, a1)` with `b[b0, b1)`. */
  *compare(a0: number, a1: number, b0: number, b1: number): Steps<void> {
    const waiting: [number, number, number, number][] = [[a0, a1, b0, b1]]
    for (let box = waiting.pop(); box !== undefined; box = waiting.pop()) {
      const [fromA, toA, fromB, toB] = box
      if (fromA === toA || fromB === toB) {
        this.#sides.changedA.fill(1, fromA, toA)
        this.#sides.changedB.fill(1, fromB, toB)
        continue
      }
      const common = yield* this.#findCommon(fromA, toA, fromB, toB)
      if (common === 'frequent') yield* this.#compareFrequent(fromA, toA, fromB, toB)
      else if (common === undefined) waiting.push([fromA, toA, fromB, fromB], [toA, toA, fromB, toB])
      else waiting.push([common.a + common.length, toA, common.b + common.length, toB], [fromA, common.a, fromB, common.b])
    }
  }

  *#findCommon(a0: number, a1: number, b0: number, b1: number): Steps<Common | 'frequent' | undefined> {
    this.#spend(2 * (a1 - a0) + (b1 - b0))
    this.#index(a0, a1)
    const best = new Candidate()
    let hasCommon = false
    for (let b = b0; b < b1; ) {
      const count = this.#counts[this.#sides.b[b] as number] as number
      hasCommon ||= count > 0
      b = count > 0 && count <= best.count ? this.#tryLine(best, b, a0, a1, b0, b1) : b + 1
      if (this.#isDue()) yield
    }
    this.#forget(a0, a1)
    if (hasCommon && best.count > MAX_CHAIN) return 'frequent'
    return best.a < 0 ? undefined : { a: best.a, b: best.b, length: best.length }
  }

  *#compareFrequent(a0: number, a1: number, b0: number, b1: number): Steps<void> {
    const ids = new Map<number, number>()
    const most = a1 - a0 + (b1 - b0)
    const counts: [Int32Array, Int32Array] = [new Int32Array(most), new Int32Array(most)]
    const renumbered = (lines: Int32Array, side: 0 | 1) => lines.map((line) => countLine(ids, counts, line, side))
    const old = { numbers: renumbered(this.#sides.a.subarray(a0, a1), 0), changed: new Uint8Array(a1 - a0 + 2) }
    const now = { numbers: renumbered(this.#sides.b.subarray(b0, b1), 1), changed: new Uint8Array(b1 - b0 + 2) }
    yield* compare(old, now, counts, false, this.#budget)
    this.#sides.changedA.set(old.changed.subarray(1, -1), a0)
    this.#sides.changedB.set(now.changed.subarray(1, -1), b0)
  }

  #index(a0: number, a1: number): void {
    const { a } = this.#sides
    for (let i = a1 - 1; i >= a0; i--) {
      this.#next[i + 1] = this.#first[a[i] as number] as number
      this.#first[a[i] as number] = i + 1
      this.#counts[a[i] as number] = (this.#counts[a[i] as number] as number) + 1
    }
  }

  #forget(a0: number, a1: number): void {
    const { a } = this.#sides
    for (let i = a0; i < a1; i++) {
      this.#first[a[i] as number] = 0
      this.#counts[a[i] as number] = 0
    }
  }

  /** Stretches around every occurrence of line `line`; returns the next line of `b` to try. This is where the time goes. */
  #tryLine(best: Candidate, line: number, a0: number, a1: number, b0: number, b1: number): number {
    const { a, b } = this.#sides
    const counts = this.#counts
    const next = this.#next
    const lineCount = counts[b[line] as number] as number
    let after = line + 1
    let steps = 0
    for (let place = this.#first[b[line] as number] as number; place !== 0; ) {
      let fromA = place - 1
      let fromB = line
      let toA = place
      let toB = line + 1
      let count = lineCount
      while (a0 < fromA && b0 < fromB && a[fromA - 1] === b[fromB - 1]) {
        fromA--
        fromB--
        if ((counts[a[fromA] as number] as number) < count) count = counts[a[fromA] as number] as number
      }
      while (toA < a1 && toB < b1 && a[toA] === b[toB]) {
        if ((counts[a[toA] as number] as number) < count) count = counts[a[toA] as number] as number
        toA++
        toB++
      }
      steps += toA - fromA
      if (toB > after) after = toB
      if (best.length < toA - fromA || count < best.count) best.take(fromA, fromB, toA - fromA, count)
      place = next[place] as number
      while (place !== 0 && place <= toA) place = next[place] as number
    }
    this.#spend(steps)
    return after
  }

  #spend(steps: number): void {
    this.#unlooked += steps
    this.#budget.spend(steps)
  }

  /** Whether others have waited long enough; the clock is looked at once in a while. */
  #isDue(): boolean {
    if (this.#unlooked < STEPS_BETWEEN_LOOKS) return false
    this.#unlooked = 0
    return isDue()
  }
}

/** The line's number within a range, counted on its side. */
function countLine(ids: Map<number, number>, counts: [Int32Array, Int32Array], line: number, side: 0 | 1): number {
  const id = ids.getOrInsertComputed(line, () => ids.size)
  counts[side][id] = (counts[side][id] as number) + 1
  return id
}

/** The best common stretch so far: longer ones win, and those around a rarer line. */
class Candidate {
  a = -1
  b = -1
  length = 1
  count = MAX_CHAIN + 1

  take(a: number, b: number, length: number, count: number): void {
    this.a = a
    this.b = b
    this.length = length
    this.count = count
  }
}
