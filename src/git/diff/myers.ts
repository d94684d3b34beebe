import { isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import type { Steps } from '../steps.ts'

/** How much work one comparison may be: steps on diagonals, of which a thread does some hundred millions a second. */
export interface Effort {
  left: number
}

/** Where a box of the edit graph is cut, and whether each half still wants the shortest edit. */
interface Cut {
  x: number
  y: number
  isLowExact: boolean
  isHighExact: boolean
}

const LEAST_COST = 256
/** A run of equal lines longer than this is a good place to cut. */
const SNAKE = 20
const GOOD_FACTOR = 4
const FAR = 0x7fffffff
/** The clock is looked at after so many steps: about a millisecond. */
const STEPS_BETWEEN_LOOKS = 500_000

/**
 * Marks in `changedA` and `changedB` the lines (by position) that the edit from `a` to `b` takes away and adds. Where that would cost
 * too much it is not the shortest edit, exactly as in git. Source: E. W. Myers, "An O(ND) Difference Algorithm and Its
 * Variations", section 4b, with the heuristics of git's `xdiff/xdiffi.c`.
 * @throws GitError `limit` when `effort` does not do
 */
export function markEdit(a: Int32Array, b: Int32Array, changedA: Uint8Array, changedB: Uint8Array, isMinimal: boolean, effort: Effort): Steps<void> {
  return new Myers(a, b, changedA, changedB, effort).run(isMinimal)
}

/** The power of two next to the square root; git's `xdl_bogosqrt`. */
export function roughRoot(n: number): number {
  let root = 1
  for (let left = n; left > 0; left >>= 2) root <<= 1
  return root
}

class Myers {
  readonly #a: Int32Array
  readonly #b: Int32Array
  readonly #changedA: Uint8Array
  readonly #changedB: Uint8Array
  readonly #effort: Effort
  readonly #maxCost: number
  /** The furthest x on each diagonal, going forwards and backwards; diagonal 0 is at `#zero`. */
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  readonly #zero: number
  /** Steps since the clock was looked at. */
  #unlooked = 0

  constructor(a: Int32Array, b: Int32Array, changedA: Uint8Array, changedB: Uint8Array, effort: Effort) {
    this.#a = a
    this.#b = b
    this.#changedA = changedA
    this.#changedB = changedB
    this.#effort = effort
    const diagonals = a.length + b.length + 3
    this.#maxCost = Math.max(LEAST_COST, roughRoot(diagonals))
    this.#forward = new Int32Array(diagonals + 1)
    this.#backward = new Int32Array(diagonals + 1)
    this.#zero = b.length + 1
  }

  *run(isMinimal: boolean): Steps<void> {
    const open: Box[] = [{ x0: 0, x1: this.#a.length, y0: 0, y1: this.#b.length, isExact: isMinimal }]
    for (let box = open.pop(); box !== undefined; box = open.pop()) {
      if (this.#settle(box)) continue
      const search = this.#begin(box)
      let cut = this.#search(search)
      while (cut === undefined) {
        yield
        cut = this.#search(search)
      }
      const { x0, x1, y0, y1 } = box
      const { x, y, isLowExact, isHighExact } = cut
      open.push({ x0: x, x1, y0: y, y1, isExact: isHighExact }, { x0, x1: x, y0, y1: y, isExact: isLowExact })
      if (this.#isDue()) yield
    }
  }

  /** Leaves out of a box what is the same at its ends. @returns whether nothing is left on a side, so that it is done */
  #settle(box: Box): boolean {
    const [a, b] = [this.#a, this.#b]
    let { x0, x1, y0, y1 } = box
    while (x0 < x1 && y0 < y1 && a[x0] === b[y0]) {
      x0++
      y0++
    }
    while (x0 < x1 && y0 < y1 && a[x1 - 1] === b[y1 - 1]) {
      x1--
      y1--
    }
    box.x0 = x0
    box.x1 = x1
    box.y0 = y0
    box.y1 = y1
    if (x0 === x1) this.#changedB.fill(1, y0, y1)
    else if (y0 === y1) this.#changedA.fill(1, x0, x1)
    return x0 === x1 || y0 === y1
  }

  #begin(box: Box): Search {
    const { x0, x1, y0, y1, isExact } = box
    const [start, end] = [x0 - y0, x1 - y1]
    this.#forward[this.#zero + start] = x0
    this.#backward[this.#zero + end] = x1
    return { x0, x1, y0, y1, isExact, start, end, fromStart: start, toStart: start, fromEnd: end, toEnd: end, cost: 0 }
  }

  /**
   * Searches from both corners until the paths meet, or one of them is good enough to go on from. Undefined when it is time to look at the
   * clock: called again, it goes on.
   */
  #search(search: Search): Cut | undefined {
    const [a, b, forward, backward, zero] = [this.#a, this.#b, this.#forward, this.#backward, this.#zero]
    const { x0, x1, y0, y1, start, end, isExact } = search
    const lowest = x0 - y1
    const highest = x1 - y0
    const isOdd = ((start - end) & 1) !== 0
    let { fromStart, toStart, fromEnd, toEnd } = search
    for (let cost = search.cost + 1; ; cost++) {
      let hasSnake = false
      if (fromStart > lowest) forward[zero + --fromStart - 1] = -1
      else ++fromStart
      if (toStart < highest) forward[zero + ++toStart + 1] = -1
      else --toStart
      for (let k = toStart; k >= fromStart; k -= 2) {
        const at = zero + k
        let x = (forward[at - 1] as number) >= (forward[at + 1] as number) ? (forward[at - 1] as number) + 1 : (forward[at + 1] as number)
        const before = x
        for (let y = x - k; x < x1 && y < y1 && a[x] === b[y]; y++) x++
        if (x - before > SNAKE) hasSnake = true
        forward[at] = x
        if (isOdd && fromEnd <= k && k <= toEnd && (backward[at] as number) <= x) return { x, y: x - k, isLowExact: true, isHighExact: true }
      }
      if (fromEnd > lowest) backward[zero + --fromEnd - 1] = FAR
      else ++fromEnd
      if (toEnd < highest) backward[zero + ++toEnd + 1] = FAR
      else --toEnd
      for (let k = toEnd; k >= fromEnd; k -= 2) {
        const at = zero + k
        let x = (backward[at - 1] as number) < (backward[at + 1] as number) ? (backward[at - 1] as number) : (backward[at + 1] as number) - 1
        const before = x
        for (let y = x - k; x > x0 && y > y0 && a[x - 1] === b[y - 1]; y--) x--
        if (before - x > SNAKE) hasSnake = true
        backward[at] = x
        if (!isOdd && fromStart <= k && k <= toStart && x <= (forward[at] as number)) return { x, y: x - k, isLowExact: true, isHighExact: true }
      }
      this.#spend(toStart - fromStart + toEnd - fromEnd + 2)
      search.fromStart = fromStart
      search.toStart = toStart
      search.fromEnd = fromEnd
      search.toEnd = toEnd
      search.cost = cost
      if (!isExact) {
        const good = hasSnake && cost > LEAST_COST ? (this.#goodForward(search) ?? this.#goodBackward(search)) : undefined
        if (good !== undefined) return good
        if (cost >= this.#maxCost) return this.#furthest(search)
      }
      if (this.#isDue()) return undefined
    }
  }

  #isDue(): boolean {
    if (this.#unlooked < STEPS_BETWEEN_LOOKS) return false
    this.#unlooked = 0
    return isDue()
  }

  #spend(steps: number): void {
    this.#unlooked += steps
    this.#effort.left -= steps
    if (this.#effort.left < 0) throw new GitError('limit', 'Cannot compare files: they differ in too many lines')
  }

  /** The best diagonal that has come far, and there along a run of equal lines. */
  #goodForward({ x0, x1, y0, y1, start, fromStart, toStart, cost }: Search): Cut | undefined {
    let best = 0
    let cut: Cut | undefined
    for (let k = toStart; k >= fromStart; k -= 2) {
      const x = this.#forward[this.#zero + k] as number
      const y = x - k
      const gain = x - x0 + (y - y0) - Math.abs(k - start)
      if (gain <= GOOD_FACTOR * cost || gain <= best || x0 + SNAKE > x || x >= x1 || y0 + SNAKE > y || y >= y1) continue
      if (!this.#isRun(x - SNAKE, y - SNAKE)) continue
      best = gain
      cut = { x, y, isLowExact: true, isHighExact: false }
    }
    return cut
  }

  #goodBackward({ x0, x1, y0, y1, end, fromEnd, toEnd, cost }: Search): Cut | undefined {
    let best = 0
    let cut: Cut | undefined
    for (let k = toEnd; k >= fromEnd; k -= 2) {
      const x = this.#backward[this.#zero + k] as number
      const y = x - k
      const gain = x1 - x + (y1 - y) - Math.abs(k - end)
      if (gain <= GOOD_FACTOR * cost || gain <= best || x0 >= x || x > x1 - SNAKE || y0 >= y || y > y1 - SNAKE) continue
      if (!this.#isRun(x, y)) continue
      best = gain
      cut = { x, y, isLowExact: false, isHighExact: true }
    }
    return cut
  }

  #isRun(x: number, y: number): boolean {
    for (let i = 0; i < SNAKE; i++) if (this.#a[x + i] !== this.#b[y + i]) return false
    return true
  }

  /** It has cost enough: goes on from where either search has come furthest. */
  #furthest({ x0, x1, y0, y1, fromStart, toStart, fromEnd, toEnd }: Search): Cut {
    let [low, lowX, high, highX] = [-1, -1, FAR, FAR]
    for (let k = toStart; k >= fromStart; k -= 2) {
      const x = Math.min(this.#forward[this.#zero + k] as number, x1, y1 + k)
      if (low < x + x - k) [low, lowX] = [x + x - k, x]
    }
    for (let k = toEnd; k >= fromEnd; k -= 2) {
      const x = Math.max(this.#backward[this.#zero + k] as number, x0, y0 + k)
      if (x + x - k < high) [high, highX] = [x + x - k, x]
    }
    if (x1 + y1 - high < low - (x0 + y0)) return { x: lowX, y: low - lowX, isLowExact: true, isHighExact: false }
    return { x: highX, y: high - highX, isLowExact: false, isHighExact: true }
  }
}

/** A part of the edit graph, and whether the shortest edit of it is wanted. */
interface Box {
  x0: number
  x1: number
  y0: number
  y1: number
  isExact: boolean
}

/** Where the search for a cut of a box stands. */
interface Search extends Readonly<Box> {
  /** The diagonals of its two corners, and how far to either side each search has come. */
  readonly start: number
  readonly end: number
  fromStart: number
  toStart: number
  fromEnd: number
  toEnd: number
  cost: number
}
