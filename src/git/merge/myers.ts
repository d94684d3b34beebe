import type { WorkBudget } from './work-budget.ts'

/** Two sequences of line numbers, and for each line whether it is changed; ranges are half-open. */
export interface DiffSides {
  a: Int32Array
  b: Int32Array
  changedA: Uint8Array
  changedB: Uint8Array
}

const MIN_COST = 256
const HEURISTIC_COST = 256
const SNAKE = 20
const HEURISTIC_FACTOR = 4
const MAX_EQUAL = 1024
const SCAN_WINDOW = 100
const RUN_FACTOR = 4
const FAR = 0x3fffffff

/** Lines without a match, with few, with so many that they say little. */
const NO_MATCH = 0
const FEW = 1
const MANY = 2

/**
 * Marks what changed between `a[a0, a1)` and `b[b0, b1)`: Myers' algorithm with the shortcuts of git's `xdiff`, which decide which of several
 * shortest (or, for costly input, nearly shortest) edits is found. Source: `xdiff/xdiffi.c` and `xdiff/xprepare.c`.
 */
export function myersDiff(sides: DiffSides, a0: number, a1: number, b0: number, b1: number, budget: WorkBudget): void {
  const { a, b } = sides
  let [lowA, lowB, highA, highB] = [a0, b0, a1, b1]
  while (lowA < highA && lowB < highB && a[lowA] === b[lowB]) {
    lowA++
    lowB++
  }
  while (lowA < highA && lowB < highB && a[highA - 1] === b[highB - 1]) {
    highA--
    highB--
  }
  const left = keptLines(a, lowA, highA, countOf(b, b0, b1), squareRoot(a1 - a0), sides.changedA)
  const right = keptLines(b, lowB, highB, countOf(a, a0, a1), squareRoot(b1 - b0), sides.changedB)
  new Myers(left, right, sides, budget).compare(0, left.ids.length, 0, right.ids.length, false)
}

/** Lines that take part in the comparison, with their places in the file. */
interface Kept {
  ids: Int32Array
  places: Int32Array
}

function countOf(ids: Int32Array, from: number, to: number): Map<number, number> {
  const counts = new Map<number, number>()
  for (let i = from; i < to; i++) counts.set(ids[i], (counts.get(ids[i]) ?? 0) + 1)
  return counts
}

/** Takes out lines that the other side lacks, and those of very frequent kinds in the midst of such; they are changed. */
function keptLines(ids: Int32Array, from: number, to: number, others: Map<number, number>, root: number, changed: Uint8Array): Kept {
  const limit = Math.min(root, MAX_EQUAL)
  const matches = new Uint8Array(to - from)
  for (let i = from; i < to; i++) {
    const count = others.get(ids[i]) ?? 0
    matches[i - from] = count === 0 ? NO_MATCH : count >= limit ? MANY : FEW
  }
  const places: number[] = []
  for (let i = from; i < to; i++) {
    const match = matches[i - from]
    if (match === FEW || (match === MANY && !isAmongUnmatched(matches, i - from))) places.push(i)
    else changed[i] = 1
  }
  return { places: Int32Array.from(places), ids: Int32Array.from(places, (place) => ids[place]) }
}

function isAmongUnmatched(matches: Uint8Array, at: number): boolean {
  const before = scanRun(matches, at, -1, Math.max(0, at - SCAN_WINDOW))
  if (before.none === 0) return false
  const after = scanRun(matches, at, 1, Math.min(matches.length - 1, at + SCAN_WINDOW))
  if (after.none === 0) return false
  const many = before.many + after.many
  return many * RUN_FACTOR < many + before.none + after.none
}

function scanRun(matches: Uint8Array, at: number, step: number, last: number): { none: number; many: number } {
  const run = { none: 0, many: 1 }
  for (let i = at + step; step < 0 ? i >= last : i <= last; i += step) {
    if (matches[i] === NO_MATCH) run.none++
    else if (matches[i] === MANY) run.many++
    else break
  }
  return run
}

/** As coarse as git's: a power of two. */
function squareRoot(n: number): number {
  let root = 1
  for (let rest = n; rest > 0; rest >>= 2) root <<= 1
  return root
}

interface Split {
  x: number
  y: number
  /** Whether the part before, or after, is to be searched without shortcuts. */
  exactBefore: boolean
  exactAfter: boolean
}

/** Where the search has got to from both ends of one box. */
interface Search {
  x0: number
  x1: number
  y0: number
  y1: number
  cost: number
  forwardMiddle: number
  backwardMiddle: number
  forwardMin: number
  forwardMax: number
  backwardMin: number
  backwardMax: number
  hasSnake: boolean
}

class Myers {
  readonly #a: Kept
  readonly #b: Kept
  readonly #sides: DiffSides
  readonly #budget: WorkBudget
  readonly #forward: Int32Array
  readonly #backward: Int32Array
  /** What is added to a diagonal, which may be negative, for its place in the arrays. */
  readonly #zero: number
  readonly #maxCost: number

  constructor(a: Kept, b: Kept, sides: DiffSides, budget: WorkBudget) {
    this.#a = a
    this.#b = b
    this.#sides = sides
    this.#budget = budget
    const diagonals = a.ids.length + b.ids.length + 3
    this.#forward = new Int32Array(diagonals + 2)
    this.#backward = new Int32Array(diagonals + 2)
    this.#zero = b.ids.length + 1
    this.#maxCost = Math.max(squareRoot(diagonals), MIN_COST)
  }

  compare(fromX: number, toX: number, fromY: number, toY: number, isExact: boolean): void {
    const [a, b] = [this.#a.ids, this.#b.ids]
    let [x0, x1, y0, y1] = [fromX, toX, fromY, toY]
    while (x0 < x1 && y0 < y1 && a[x0] === b[y0]) {
      x0++
      y0++
    }
    while (x0 < x1 && y0 < y1 && a[x1 - 1] === b[y1 - 1]) {
      x1--
      y1--
    }
    if (x0 === x1) for (; y0 < y1; y0++) this.#sides.changedB[this.#b.places[y0]] = 1
    else if (y0 === y1) for (; x0 < x1; x0++) this.#sides.changedA[this.#a.places[x0]] = 1
    else {
      const split = this.#split(x0, x1, y0, y1, isExact)
      this.compare(x0, split.x, y0, split.y, split.exactBefore)
      this.compare(split.x, x1, split.y, y1, split.exactAfter)
    }
  }

  #split(x0: number, x1: number, y0: number, y1: number, isExact: boolean): Split {
    const [forwardMiddle, backwardMiddle] = [x0 - y0, x1 - y1]
    const search: Search = {
      ...{ x0, x1, y0, y1, cost: 0, forwardMiddle, backwardMiddle, hasSnake: false },
      ...{ forwardMin: forwardMiddle, forwardMax: forwardMiddle, backwardMin: backwardMiddle, backwardMax: backwardMiddle },
    }
    this.#forward[this.#zero + forwardMiddle] = x0
    this.#backward[this.#zero + backwardMiddle] = x1
    for (search.cost = 1; ; search.cost++) {
      search.hasSnake = false
      this.#budget.spend(search.forwardMax - search.forwardMin + 2)
      const found = this.#stepForward(search) ?? this.#stepBackward(search)
      if (found) return found
      if (isExact) continue
      const shortcut = search.hasSnake && search.cost > HEURISTIC_COST ? (this.#goodForward(search) ?? this.#goodBackward(search)) : undefined
      if (shortcut) return shortcut
      if (search.cost >= this.#maxCost) return this.#furthest(search)
    }
  }

  #stepForward(search: Search): Split | undefined {
    const { x1, y1, x0, y0 } = search
    const [a, b, reach, zero] = [this.#a.ids, this.#b.ids, this.#forward, this.#zero]
    if (search.forwardMin > x0 - y1) reach[zero + --search.forwardMin - 1] = -1
    else search.forwardMin++
    if (search.forwardMax < x1 - y0) reach[zero + ++search.forwardMax + 1] = -1
    else search.forwardMax--
    const isOdd = ((search.forwardMiddle - search.backwardMiddle) & 1) !== 0
    for (let d = search.forwardMax; d >= search.forwardMin; d -= 2) {
      const at = zero + d
      const start = reach[at - 1] >= reach[at + 1] ? reach[at - 1] + 1 : reach[at + 1]
      let x = start
      while (x < x1 && x - d < y1 && a[x] === b[x - d]) x++
      if (x - start > SNAKE) search.hasSnake = true
      reach[at] = x
      if (isOdd && search.backwardMin <= d && d <= search.backwardMax && this.#backward[at] <= x) return met(x, d)
    }
    return undefined
  }

  #stepBackward(search: Search): Split | undefined {
    const { x1, y1, x0, y0 } = search
    const [a, b, reach, zero] = [this.#a.ids, this.#b.ids, this.#backward, this.#zero]
    if (search.backwardMin > x0 - y1) reach[zero + --search.backwardMin - 1] = FAR
    else search.backwardMin++
    if (search.backwardMax < x1 - y0) reach[zero + ++search.backwardMax + 1] = FAR
    else search.backwardMax--
    const isEven = ((search.forwardMiddle - search.backwardMiddle) & 1) === 0
    for (let d = search.backwardMax; d >= search.backwardMin; d -= 2) {
      const at = zero + d
      const start = reach[at - 1] < reach[at + 1] ? reach[at - 1] : reach[at + 1] - 1
      let x = start
      while (x > x0 && x - d > y0 && a[x - 1] === b[x - d - 1]) x--
      if (start - x > SNAKE) search.hasSnake = true
      reach[at] = x
      if (isEven && search.forwardMin <= d && d <= search.forwardMax && x <= this.#forward[at]) return met(x, d)
    }
    return undefined
  }

  /** The best of the forward paths that have come far and end in a long run of equal lines. */
  #goodForward({ x0, x1, y0, y1, cost, forwardMiddle, forwardMin, forwardMax }: Search): Split | undefined {
    let best = 0
    let split: Split | undefined
    for (let d = forwardMax; d >= forwardMin; d -= 2) {
      const x = this.#forward[this.#zero + d]
      const y = x - d
      const value = x - x0 + (y - y0) - Math.abs(d - forwardMiddle)
      const isInside = x0 + SNAKE <= x && x < x1 && y0 + SNAKE <= y && y < y1
      if (value > HEURISTIC_FACTOR * cost && value > best && isInside && this.#isRun(x - SNAKE, y - SNAKE)) {
        best = value
        split = { x, y, exactBefore: true, exactAfter: false }
      }
    }
    return split
  }

  #goodBackward({ x0, x1, y0, y1, cost, backwardMiddle, backwardMin, backwardMax }: Search): Split | undefined {
    let best = 0
    let split: Split | undefined
    for (let d = backwardMax; d >= backwardMin; d -= 2) {
      const x = this.#backward[this.#zero + d]
      const y = x - d
      const value = x1 - x + (y1 - y) - Math.abs(d - backwardMiddle)
      const isInside = x0 < x && x <= x1 - SNAKE && y0 < y && y <= y1 - SNAKE
      if (value > HEURISTIC_FACTOR * cost && value > best && isInside && this.#isRun(x, y)) {
        best = value
        split = { x, y, exactBefore: false, exactAfter: true }
      }
    }
    return split
  }

  #isRun(x: number, y: number): boolean {
    for (let i = 0; i < SNAKE; i++) if (this.#a.ids[x + i] !== this.#b.ids[y + i]) return false
    return true
  }

  /** Enough is enough: the path that has come furthest, from whichever end. */
  #furthest({ x0, x1, y0, y1, forwardMin, forwardMax, backwardMin, backwardMax }: Search): Split {
    let [forward, forwardX, backward, backwardX] = [-1, -1, FAR, FAR]
    for (let d = forwardMax; d >= forwardMin; d -= 2) {
      let x = Math.min(this.#forward[this.#zero + d], x1)
      if (y1 < x - d) x = y1 + d
      if (forward < x + x - d) [forward, forwardX] = [x + x - d, x]
    }
    for (let d = backwardMax; d >= backwardMin; d -= 2) {
      let x = Math.max(x0, this.#backward[this.#zero + d])
      if (x - d < y0) x = y0 + d
      if (x + x - d < backward) [backward, backwardX] = [x + x - d, x]
    }
    if (x1 + y1 - backward < forward - (x0 + y0)) return { x: forwardX, y: forward - forwardX, exactBefore: true, exactAfter: false }
    return { x: backwardX, y: backward - backwardX, exactBefore: false, exactAfter: true }
  }
}

function met(x: number, diagonal: number): Split {
  return { x, y: x - diagonal, exactBefore: true, exactAfter: true }
}
