import type { RepoRow } from '#access/index.ts'
import type { Db } from '#kernel/db.ts'
import { isDraft } from '#work/issues/index.ts'
import { type StackRow, stackQuestion } from './stack-store.ts'
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

/** Pull requests that depend on each other, the one to be merged first at the front; none where this one stands alone, or is closed. */
export function stackOf(db: Db, repo: Pick<RepoRow, 'default_branch'>, pull: PullRow): StackedPull[] {
  const { sql, values } = stackQuestion({ issueId: pull.issue_id, repoId: pull.repo_id, defaultBranch: repo.default_branch })
  return stackAmong(db.all<StackRow>(sql, ...values), pull)
}

/** The same, of what was found. */
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
