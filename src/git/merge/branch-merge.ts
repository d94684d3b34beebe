import { mergeBaseSteps } from '../history/merge-base.ts'
import type { Oid } from '../objects/oid.ts'
import { type CommitText, writeCommit } from './made-commit.ts'
import type { Conflict, Merger } from './merge-commits.ts'
import type { MergeNote } from './merge-state.ts'

/** How a branch stands to one that it is to be merged into. */
export type Mergeability =
  /** All of it is there already. */
  | { status: 'up-to-date' }
  /** It has all that the other has, so the other could just be moved. */
  | { status: 'fast-forward'; tree: Oid }
  | { status: 'clean'; tree: Oid }
  | { status: 'conflict'; conflicts: Conflict[]; notes: MergeNote[] }

/** Tells what merging `head` into `base` would come to. @throws GitError `limit`, `missing`, `corrupt` */
export function* mergeability(merger: Merger, base: Oid, head: Oid): Generator<void, Mergeability, undefined> {
  const bases = yield* mergeBaseSteps(merger.source, base, head)
  if (bases.includes(head)) return { status: 'up-to-date' }
  if (bases.includes(base)) return { status: 'fast-forward', tree: merger.treeOf(head) }
  const { isClean, tree, conflicts, notes } = yield* merger.mergeCommits(base, head, bases)
  return isClean ? { status: 'clean', tree } : { status: 'conflict', conflicts, notes }
}

export type MergedBranch = { status: 'done'; commit: Oid; tree: Oid } | Extract<Mergeability, { status: 'up-to-date' | 'conflict' }>

/** Makes the commit that merges `head` into `base`: a merge, or one commit with all of its changes. */
export function* mergeBranch(
  merger: Merger,
  { base, head, style }: { base: Oid; head: Oid; style: 'merge' | 'squash' },
  text: CommitText,
): Generator<void, MergedBranch, undefined> {
  const outcome = yield* mergeability(merger, base, head)
  if (outcome.status === 'up-to-date' || outcome.status === 'conflict') return outcome
  const commit = writeCommit(merger.store, outcome.tree, style === 'merge' ? [base, head] : [base], text)
  return { status: 'done', commit, tree: outcome.tree }
}
