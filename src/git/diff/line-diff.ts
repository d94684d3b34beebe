import { isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import type { Steps } from '../steps.ts'
import { keepTelling, type Span } from './discard.ts'
import { type IgnoredSpace, type LineNumbers, Lines, lineCountOf, numberLines } from './lines.ts'
import { type Effort, markEdit } from './myers.ts'
import { type MarkedText, slideChanges } from './slide.ts'

export interface LineDiffOptions {
  /** Blanks that do not count. */
  ignoredSpace?: IgnoredSpace
  /** Changes that only add or take away blank lines count only beside others. */
  ignoreBlankLines?: boolean
  /** Look for the shortest edit, whatever it costs (`--minimal`). */
  minimal?: boolean
  /** How much work a comparison may be, in steps of some nanoseconds. Default: enough for about two seconds. */
  effort?: number
}

/** Lines `oldStart` to `oldStart + oldCount`, counted from 0, gave way to those of the new text. */
export interface LineChange {
  oldStart: number
  oldCount: number
  newStart: number
  newCount: number
  /** Whether it shall not count; see `ignoreBlankLines`. */
  isIgnored: boolean
}

export interface LineDiff {
  old: Lines
  new: Lines
  changes: LineChange[]
}

const DEFAULT_EFFORT = 1_000_000_000
/** Of both texts together: 200 MB. */
export const MAX_LINES = 4_000_000
/** What each takes while they are compared, beside its bytes. */
export const BYTES_PER_LINE = 50

/**
 * The changes of lines from one text to another, those that `git diff` shows.
 * @throws GitError `limit` when it is more work than `effort`, or more than `MAX_LINES`
 */
export function* diffLines(before: Uint8Array, after: Uint8Array, options: LineDiffOptions = {}): Steps<LineDiff> {
  if (before.length + after.length > MAX_LINES && lineCountOf(before) + lineCountOf(after) > MAX_LINES) {
    throw new GitError('limit', `Cannot compare texts of more than ${MAX_LINES} lines`)
  }
  const oldLines = new Lines(before)
  if (isDue()) yield
  const newLines = new Lines(after)
  if (isDue()) yield
  const { numbers, counts } = numberLines(oldLines, newLines, options.ignoredSpace)
  if (isDue()) yield
  const old = { lines: oldLines, numbers: numbers[0], changed: new Uint8Array(oldLines.count + 2) }
  const now = { lines: newLines, numbers: numbers[1], changed: new Uint8Array(newLines.count + 2) }
  yield* compare(old, now, counts, options.minimal ?? false, { left: options.effort ?? DEFAULT_EFFORT })
  slideChanges(old, now)
  if (isDue()) yield
  slideChanges(now, old)
  if (isDue()) yield
  const changes = changesOf(old.changed, now.changed)
  if (options.ignoreBlankLines) for (const change of changes) change.isIgnored = isBlankChange(change, old.lines, now.lines, options.ignoredSpace)
  return { old: old.lines, new: now.lines, changes }
}

/** Marks what changed, before anything slides. @param counts how often each line comes in either text, by its number */
export function* compare(old: MarkedText, now: MarkedText, counts: LineNumbers['counts'], isMinimal: boolean, effort: Effort): Steps<void> {
  const [oldSpan, newSpan] = trimSame(old.numbers, now.numbers)
  const oldKept = keepTelling(oldSpan, counts[1], old.changed.subarray(1))
  const newKept = keepTelling(newSpan, counts[0], now.changed.subarray(1))
  if (isDue()) yield
  const [oldChanged, newChanged] = [new Uint8Array(oldKept.length), new Uint8Array(newKept.length)]
  yield* markEdit(
    oldKept.map((at) => old.numbers[at] as number),
    newKept.map((at) => now.numbers[at] as number),
    oldChanged,
    newChanged,
    isMinimal,
    effort,
  )
  for (let i = 0; i < oldChanged.length; i++) if (oldChanged[i] === 1) old.changed[(oldKept[i] as number) + 1] = 1
  for (let i = 0; i < newChanged.length; i++) if (newChanged[i] === 1) now.changed[(newKept[i] as number) + 1] = 1
}

/** What is left between the lines that are the same at the beginning and at the end. */
function trimSame(a: Int32Array, b: Int32Array): [Span, Span] {
  let start = 0
  let [endA, endB] = [a.length, b.length]
  while (start < endA && start < endB && a[start] === b[start]) start++
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--
    endB--
  }
  return [
    { numbers: a, start, end: endA },
    { numbers: b, start, end: endB },
  ]
}

/** Marked lines as changes; marks are shifted by one, see `MarkedText`. */
export function changesOf(oldChanged: Uint8Array, newChanged: Uint8Array): LineChange[] {
  const changes: LineChange[] = []
  const [oldEnd, newEnd] = [oldChanged.length - 2, newChanged.length - 2]
  for (let [old, now] = [0, 0]; old < oldEnd || now < newEnd; old++, now++) {
    const change = { oldStart: old, oldCount: 0, newStart: now, newCount: 0, isIgnored: false }
    while (oldChanged[old + 1] === 1) old++
    while (newChanged[now + 1] === 1) now++
    change.oldCount = old - change.oldStart
    change.newCount = now - change.newStart
    if (change.oldCount + change.newCount > 0) changes.push(change)
  }
  return changes
}

function isBlankChange(change: LineChange, old: Lines, now: Lines, ignored: IgnoredSpace | undefined): boolean {
  for (let i = 0; i < change.oldCount; i++) if (!old.isBlank(change.oldStart + i, ignored)) return false
  for (let i = 0; i < change.newCount; i++) if (!now.isBlank(change.newStart + i, ignored)) return false
  return true
}
