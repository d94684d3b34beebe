import { diffLimits } from '#code/commits/index.ts'
import type { Context } from '#context.ts'
import type { ChangeDigest } from '#git/diff/change-digest.ts'
import { GitError } from '#git/errors.ts'
import type { Oid } from '#git/objects/oid.ts'
import { KeptWork } from '#kernel/kept-work.ts'
import type { ReviewedChanges, ReviewRow } from './store.ts'

/** By what they are counted from, and the head. Objects never change, so no answer is ever stale. */
class KnownChanges extends KeptWork<ChangeDigest> {
  constructor() {
    super(
      10_000,
      () => 1,
      ({ isWhole }) => isWhole,
    )
  }
}

/** What merging `head` into `base` would bring. A base that merely went on makes no new work. @throws GitError when an object is not there */
export async function changesOf(context: Pick<Context, 'config' | 'git' | 'services'>, repoId: number, base: Oid, head: Oid): Promise<ReviewedChanges> {
  const from = await context.git.run('mergeBase', repoId, { a: base, b: head })
  const options = { maxFileBytes: diffLimits(context).maxFileBytes }
  const digest = () => context.git.run('digestChanges', repoId, { from, to: head, options })
  const { tree, key } = await context.services.get(KnownChanges).answer(`${repoId} ${from} ${head}`, digest)
  return { diff_base: from ?? '', diff_tree: tree, diff_key: key }
}

type Reviewed = ReviewedChanges & Pick<ReviewRow, 'commit_oid'>

/**
 * Whether the changes are still those that a verdict is about. Counted from the same commit they come to the same tree; from another one, as
 * after a rebase, they have the same diff, and are what the changes of then would come to there: a line that is in another place now, where
 * the text around it is the same, is another change.
 */
export async function isStill(context: Pick<Context, 'git'>, repoId: number, review: Reviewed, now: ReviewedChanges): Promise<boolean> {
  if (review.diff_tree === '') return false
  if (review.diff_base === now.diff_base) return review.diff_tree === now.diff_tree
  if (review.diff_key === '' || review.diff_key !== now.diff_key || review.diff_base === '' || now.diff_base === '') return false
  try {
    const merged = await context.git.run('mergeability', repoId, { base: now.diff_base as Oid, head: review.commit_oid as Oid })
    return 'tree' in merged && merged.tree === now.diff_tree
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}
