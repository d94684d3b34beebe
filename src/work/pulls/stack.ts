import { isDraft } from '#work/issues/index.ts'
import type { StackRow } from './stack-store.ts'
import type { PullRow } from './store.ts'

/** An open pull request of a stack: each but the lowest is to be merged into the branch of one below it. */
export interface StackedPull {
  number: number
  title: string
  isDraft: boolean
  isThis: boolean
  /** The branch that it is to be merged into. */
  base: string
}

/** Of what was found, pull requests that depend on each other, the one to be merged first at the front; none where this one stands alone, or is closed. */
export function stackAmong(found: readonly StackRow[], pull: Pick<PullRow, 'issue_id'>): StackedPull[] {
  const all = new Map<number, StackRow>()
  // In a circle one is met again: it stands where it was met first.
  for (const row of found) if (!all.has(row.issue_id)) all.set(row.issue_id, row)
  if (all.size <= 1) return []
  return [...all.values()].toSorted((a, b) => a.depth - b.depth || a.number - b.number).map((row) => presentStacked(row, pull))
}

function presentStacked({ issue_id, number, title, base_branch }: StackRow, pull: Pick<PullRow, 'issue_id'>): StackedPull {
  return { number, title, isDraft: isDraft(title), isThis: issue_id === pull.issue_id, base: base_branch }
}
