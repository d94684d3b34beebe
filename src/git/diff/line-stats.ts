import { GitError } from '../errors.ts'
import type { Steps } from '../steps.ts'
import { type HunkOptions, hunksOf } from './hunks.ts'
import { diffLines, type LineDiff, type LineDiffOptions } from './line-diff.ts'
import { lineCountOf } from './lines.ts'

/** How many lines a change adds and takes away. */
export interface LineStats {
  additions: number
  deletions: number
}

/** As git looks for a NUL to tell binary files; `buffer_is_binary` in `xdiff-interface.c`. */
const SNIFFED_BYTES = 8000

/**
 * Counts the lines that `git diff --numstat` says a change from `before` to `after` adds and takes away; nothing for binary
 * content. Where it would be too much work to find out which, all lines count. @param isNoText for who knows
 */
export function* lineStats(
  before: Uint8Array,
  after: Uint8Array,
  options: LineDiffOptions & HunkOptions = {},
  isNoText = isBinary(before) || isBinary(after),
): Steps<LineStats> {
  if (isNoText) return { additions: 0, deletions: 0 }
  try {
    return countLines(yield* diffLines(before, after, options), options)
  } catch (error) {
    if (error instanceof GitError && error.kind === 'limit') return { additions: lineCountOf(after), deletions: lineCountOf(before) }
    throw error
  }
}

/** The lines that the hunks of a comparison show as added and deleted. */
export function countLines(diff: LineDiff, options: HunkOptions = {}): LineStats {
  const stats = { additions: 0, deletions: 0 }
  const isAllShown = diff.changes.every(({ isIgnored }) => !isIgnored)
  for (const { changes } of isAllShown ? [diff] : hunksOf(diff, options)) {
    for (const { oldCount, newCount } of changes) {
      stats.additions += newCount
      stats.deletions += oldCount
    }
  }
  return stats
}

export function isBinary(data: Uint8Array): boolean {
  const nul = (data.length > SNIFFED_BYTES ? data.subarray(0, SNIFFED_BYTES) : data).indexOf(0)
  return nul >= 0
}
