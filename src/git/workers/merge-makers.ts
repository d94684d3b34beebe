import { type MergedBranch, mergeBranch } from '../merge/branch-merge.ts'
import { type CommitText, writeAmended, writeCommit } from '../merge/made-commit.ts'
import { type MergeLabels, Merger } from '../merge/merge-commits.ts'
import { type Conflicted, type Picked, type PickRequest, type Rebased, type RebaseRequest, Replayer, type RevertRequest } from '../merge/replay.ts'
import { type Solution, type Solved, solveConflicts } from '../merge/solve-conflicts.ts'
import type { Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import type { ScratchStore } from '../store/scratch-store.ts'
import { mergeInTime } from './in-time.ts'
import type { Made } from './made.ts'
import type { OpenRepo } from './open-repos.ts'

/** What a rebase came to; `merge` is the commit that merges it, where one was wanted and there was something to merge. */
export type RebasedBranch = (Rebased & { merge?: Oid }) | Conflicted

/** Makers of merges. Conflicts, and that there is nothing to do, are results: then nothing is made. */
export const mergeMakers = {
  /** The commit that merges `head` into `base`: a merge, or one commit with all of its changes. */
  async mergeBranch(
    scratch: ScratchStore,
    repo: OpenRepo,
    { base, head, style, text }: { base: Oid; head: Oid; style: 'merge' | 'squash'; text: CommitText },
  ): Promise<Made<MergedBranch>> {
    const merger = new Merger(scratch, repo.graph())
    const result = await mergeInTime(mergeBranch(merger, { base, head, style }, text))
    return handOver(scratch, merger, result.status === 'done' ? [result.commit] : [], result)
  },

  /** The commit that merges `theirs` into `ours`, each conflict solved as somebody chose. */
  async solveConflicts(
    scratch: ScratchStore,
    repo: OpenRepo,
    { ours, theirs, solutions, text, labels }: { ours: Oid; theirs: Oid; solutions: readonly Solution[]; text: CommitText; labels: MergeLabels },
  ): Promise<Made<Solved>> {
    const merger = new Merger(scratch, repo.graph(), { labels })
    const result = await mergeInTime(solveConflicts(merger, { ours, theirs, solutions, label: labels.theirs }, text))
    return handOver(scratch, merger, result.status === 'done' ? [result.commit] : [], result)
  },

  /** The commits of a branch on top of another one, the last of which says `amendment`, and, with `text`, the merge of the two. */
  async rebaseBranch(
    scratch: ScratchStore,
    repo: OpenRepo,
    { request, text, amendment }: { request: RebaseRequest; text?: CommitText; amendment?: string },
  ): Promise<Made<RebasedBranch>> {
    const merger = new Merger(scratch, repo.graph())
    const result: RebasedBranch = await mergeInTime(new Replayer(merger).rebase(request))
    if (result.status === 'conflict') return handOver(scratch, merger, [], result)
    if (amendment !== undefined && result.commits.length > 0) {
      result.tip = writeAmended(merger.store, result.tip, amendment, request.committer)
      result.commits.splice(-1, 1, result.tip)
    }
    const isMerged = text !== undefined && result.commits.length > 0
    if (isMerged) result.merge = writeCommit(merger.store, merger.treeOf(result.tip), [request.onto, result.tip], text)
    return handOver(scratch, merger, [result.merge ?? result.tip], result)
  },

  /** One commit on top of another one. Without `text` it says what it said. */
  async cherryPick(
    scratch: ScratchStore,
    repo: OpenRepo,
    { request, committer, text }: { request: PickRequest; committer: Ident; text?: CommitText },
  ): Promise<Made<Picked>> {
    const merger = new Merger(scratch, repo.graph())
    const result = await mergeInTime(new Replayer(merger).cherryPick(request, committer, text))
    return handOver(scratch, merger, result.status === 'done' ? [result.commit] : [], result)
  },

  /** A commit that takes another one's change back. */
  async revertCommit(scratch: ScratchStore, repo: OpenRepo, { request, text }: { request: PickRequest; text: CommitText }): Promise<Made<Picked>> {
    const merger = new Merger(scratch, repo.graph())
    const result = await mergeInTime(new Replayer(merger).revert(request, text))
    return handOver(scratch, merger, result.status === 'done' ? [result.commit] : [], result)
  },

  /** One commit that takes back all that lies between two. */
  async revertRange(scratch: ScratchStore, repo: OpenRepo, { request, text }: { request: RevertRequest; text: CommitText }): Promise<Made<Picked>> {
    const merger = new Merger(scratch, repo.graph())
    const result = await mergeInTime(new Replayer(merger).revertRange(request, text))
    return handOver(scratch, merger, result.status === 'done' ? [result.commit] : [], result)
  },
}

/** Merging leaves things behind that nobody wants, and has a limit of its own on what it writes: only what `tips` lead to goes on. */
function handOver<Result>(scratch: ScratchStore, merger: Merger, tips: Oid[], result: Result): Made<Result> {
  for (const { object } of merger.store.reachable(tips)) scratch.write(object.type, object.data)
  return { tips, result }
}
