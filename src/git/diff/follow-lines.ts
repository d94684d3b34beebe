import { breathe, isDue } from '#kernel/breathe.ts'
import type { Oid } from '../objects/oid.ts'
import { runSteps } from '../steps.ts'
import type { ObjectReader } from '../store/types.ts'
import { type ChangedFilesOptions, changedFiles } from './changed-files.ts'
import { type CompareOptions, type Comparison, compareFile } from './compare-file.ts'
import type { LineChange } from './line-diff.ts'
import type { FileChange } from './renames.ts'

/** A line of a file, counted from 1; 0 is the file as a whole. */
export interface FileLine {
  path: string
  line: number
}

export type FollowOptions = ChangedFilesOptions & CompareOptions

/**
 * Where lines of one tree are in another: at the same text, in a file that may have got another name. In the order of `lines`; undefined for
 * those that were changed or are gone. @throws GitError `missing` or `corrupt`
 */
export async function followLines(
  store: ObjectReader,
  from: Oid,
  to: Oid,
  lines: readonly FileLine[],
  options: FollowOptions = {},
): Promise<(FileLine | undefined)[]> {
  const paths = new Set(lines.map(({ path }) => path))
  const changes = new Map<string, Followed>()
  for (const change of (await changedFiles(store, from, to, options)).changes) {
    const path = 'oldPath' in change ? change.oldPath : change.path
    // A copy leaves what it was made of where it is.
    if (change.old === undefined || change.status === 'copied' || !paths.has(path)) continue
    const steps = change.new === undefined ? undefined : compareFile(store, change, { ...options, context: 0 })
    changes.set(path, { change, comparison: steps && (await runSteps(steps, options.signal)) })
    if (isDue()) await breathe()
  }
  return lines.map((line) => {
    const followed = changes.get(line.path)
    return followed === undefined ? line : follow(followed, line.line)
  })
}

interface Followed {
  change: FileChange
  /** Undefined: the file is gone. */
  comparison: Comparison | undefined
}

function follow({ change, comparison }: Followed, line: number): FileLine | undefined {
  if (comparison === undefined) return undefined
  const { path } = change
  if (line === 0 || comparison.kind === 'same') return { path, line }
  const moved = comparison.kind === 'text' ? lineAfter(comparison.diff.changes, line - 1) : undefined
  return moved === undefined ? undefined : { path, line: moved + 1 }
}

/** Where a line is after these changes; both are counted from 0. */
function lineAfter(changes: readonly LineChange[], line: number): number | undefined {
  // The last change that begins at or above the line.
  let [low, high] = [0, changes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((changes[middle] as LineChange).oldStart <= line) low = middle + 1
    else high = middle
  }
  const above = changes[low - 1]
  if (above === undefined) return line
  const oldEnd = above.oldStart + above.oldCount
  return line < oldEnd ? undefined : line - oldEnd + above.newStart + above.newCount
}
