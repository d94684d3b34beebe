import { isDue } from '#kernel/breathe.ts'
import { type MarkedText, slideChanges } from '../diff/slide.ts'
import type { Steps } from '../steps.ts'
import { HistogramDiff } from './histogram.ts'
import type { WorkBudget } from './work-budget.ts'

/** Lines `[a, a + aCount)` gave way to lines `[b, b + bCount)`. */
export interface LineChange {
  a: number
  aCount: number
  b: number
  bCount: number
}

/** The changes from `a` to `b` in order, as git's merges see them. @param ids all line numbers are below this */
export function* lineChanges(a: Int32Array, b: Int32Array, ids: number, budget: WorkBudget): Steps<LineChange[]> {
  const [old, now] = [marked(a), marked(b)]
  const sides = { a, b, changedA: old.changed.subarray(1), changedB: now.changed.subarray(1) }
  yield* new HistogramDiff(sides, ids, budget).compare(0, a.length, 0, b.length)
  slideChanges(old, now)
  if (isDue()) yield
  slideChanges(now, old)
  return runsOf(sides.changedA.subarray(0, a.length), sides.changedB.subarray(0, b.length))
}

function marked(numbers: Int32Array): MarkedText {
  return { numbers, changed: new Uint8Array(numbers.length + 2) }
}

function runsOf(changedA: Uint8Array, changedB: Uint8Array): LineChange[] {
  const changes: LineChange[] = []
  for (let [i, j] = [0, 0]; i < changedA.length || j < changedB.length; i++, j++) {
    if (changedA[i] !== 1 && changedB[j] !== 1) continue
    const [a, b] = [i, j]
    while (changedA[i] === 1) i++
    while (changedB[j] === 1) j++
    changes.push({ a, aCount: i - a, b, bCount: j - b })
  }
  return changes
}
