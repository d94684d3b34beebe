import { bestEnd } from './indent-heuristic.ts'
import type { Lines } from './lines.ts'

/** One text of a comparison. */
export interface MarkedText {
  /** Where indentation counts; in merges it does not. */
  lines?: Lines
  /** Equal lines have equal numbers. */
  numbers: Int32Array
  /** 1 for lines that changed, shifted by one: there is a 0 before the first and behind the last. */
  changed: Uint8Array
}

/**
 * Moves runs of changed lines to where people expect them: where they stand beside a change of the other text, else where
 * the indentation says that something begins. Runs that meet become one. Source: git's `xdl_change_compact`.
 */
export function slideChanges(text: MarkedText, other: MarkedText): void {
  const run = new Run(text)
  const beside = new Run(other)
  do {
    if (!run.isEmpty) slide(run, beside)
    beside.next()
  } while (run.next())
}

function slide(run: Run, beside: Run): void {
  let length: number
  let earliestEnd: number
  let matchEnd: number
  do {
    length = run.end - run.start
    matchEnd = -1
    while (run.slideUp()) beside.previous()
    earliestEnd = run.end
    if (!beside.isEmpty) matchEnd = run.end
    while (run.slideDown()) {
      beside.next()
      if (!beside.isEmpty) matchEnd = run.end
    }
  } while (length !== run.end - run.start)
  if (run.end === earliestEnd) return
  const { lines } = run.text
  const indented = lines === undefined ? run.end : bestEnd(lines, earliestEnd, run.end, length)
  const wanted = matchEnd >= 0 ? matchEnd : indented
  while (run.end > wanted) {
    run.slideUp()
    beside.previous()
  }
}

/** A run of changed lines, empty between two that did not change; both texts have the same number of them. */
class Run {
  readonly text: MarkedText
  start = 0
  /** Behind its last line. */
  end = 0

  constructor(text: MarkedText) {
    this.text = text
    this.#extendDown()
  }

  get isEmpty(): boolean {
    return this.start === this.end
  }

  next(): boolean {
    if (this.end === this.text.numbers.length) return false
    this.start = this.end = this.end + 1
    this.#extendDown()
    return true
  }

  previous(): void {
    this.end = this.start = this.start - 1
    this.#extendUp()
  }

  slideDown(): boolean {
    const { numbers, changed } = this.text
    if (this.end >= numbers.length || numbers[this.start] !== numbers[this.end]) return false
    changed[++this.start] = 0
    changed[++this.end] = 1
    this.#extendDown()
    return true
  }

  slideUp(): boolean {
    const { numbers, changed } = this.text
    if (this.start === 0 || numbers[this.start - 1] !== numbers[this.end - 1]) return false
    changed[this.start--] = 1
    changed[this.end--] = 0
    this.#extendUp()
    return true
  }

  #extendDown(): void {
    while (this.text.changed[this.end + 1] === 1) this.end++
  }

  #extendUp(): void {
    while (this.text.changed[this.start] === 1) this.start--
  }
}
