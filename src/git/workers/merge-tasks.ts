import { breathe, isDue } from '#kernel/breathe.ts'
import { GitError } from '../errors.ts'
import { type Mergeability, type MergedBranch, mergeability, mergeBranch } from '../merge/branch-merge.ts'
import type { CommitText } from '../merge/made-commit.ts'
import { type MergeOptions, Merger } from '../merge/merge-commits.ts'
import { type Conflicted, type Picked, type PickRequest, type Rebased, type RebaseRequest, Replayer } from '../merge/replay.ts'
import type { Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import { keepMade } from './keep-made.ts'
import type { OpenRepo } from './open-repos.ts'

/** What the asker may say about how branches are merged. */
export interface MergeTaskOptions {
  labels?: { ours: string; theirs: string }
  /** How long it may take, in milliseconds. Default: a minute. */
  deadline?: number
}

const DEFAULT_DEADLINE = 60_000
const MAX_KNOWN = 1000
/** Answers with more conflicts are worked out anew each time they are asked for. */
const MAX_KNOWN_CONFLICTS = 1000
/** By repository and the ids of both sides, which say all: an answer never goes stale. */
const known = new Map<string, Mergeability>()

/**
 * Merges of branches. Those that make commits write objects: whoever asks for one holds the repository until a ref has what was made. Nothing
 * is written before all is worked out.
 */
export const mergeTasks = {
  /** What merging `head` into `base` would come to; writes nothing. */
  async mergeability(repo: OpenRepo, { base, head, options = {} }: { base: Oid; head: Oid; options?: MergeTaskOptions }): Promise<Mergeability> {
    const key = `${repo.path} ${base} ${head}`
    const outcome = known.get(key) ?? (await inTime(mergeability(mergerOf(repo, options), base, head), options))
    remember(key, outcome)
    return outcome
  },

  async mergeBranch(
    repo: OpenRepo,
    { base, head, style, text, options = {} }: { base: Oid; head: Oid; style: 'merge' | 'squash'; text: CommitText; options?: MergeTaskOptions },
  ): Promise<MergedBranch> {
    const merger = mergerOf(repo, options)
    const merged = await inTime(mergeBranch(merger, { base, head, style }, text), options)
    if (merged.status === 'done') await keepMade(repo, merger.store, [merged.commit])
    return merged
  },

  async rebaseBranch(repo: OpenRepo, { request, options = {} }: { request: RebaseRequest; options?: MergeTaskOptions }): Promise<Rebased | Conflicted> {
    const merger = mergerOf(repo, options)
    const rebased = await inTime(new Replayer(merger).rebase(request), options)
    if (rebased.status === 'done') await keepMade(repo, merger.store, rebased.commits)
    return rebased
  },

  /** Without `text` the new commit says what the old one said. */
  async cherryPick(
    repo: OpenRepo,
    { request, committer, text, options = {} }: { request: PickRequest; committer: Ident; text?: CommitText; options?: MergeTaskOptions },
  ): Promise<Picked> {
    const merger = mergerOf(repo, options)
    return keepPicked(repo, merger, await inTime(new Replayer(merger).cherryPick(request, committer, text), options))
  },

  async revertCommit(repo: OpenRepo, { request, text, options = {} }: { request: PickRequest; text: CommitText; options?: MergeTaskOptions }): Promise<Picked> {
    const merger = mergerOf(repo, options)
    return keepPicked(repo, merger, await inTime(new Replayer(merger).revert(request, text), options))
  },
}

function mergerOf(repo: OpenRepo, { labels }: MergeTaskOptions): Merger {
  const options: MergeOptions = labels === undefined ? {} : { labels }
  return new Merger(repo.store, repo.graph(), options)
}

async function keepPicked(repo: OpenRepo, { store }: Merger, picked: Picked): Promise<Picked> {
  if (picked.status === 'done') await keepMade(repo, store, [picked.commit])
  return picked
}

function remember(key: string, outcome: Mergeability): void {
  known.delete(key)
  if (outcome.status === 'conflict' && outcome.conflicts.length > MAX_KNOWN_CONFLICTS) return
  known.set(key, outcome)
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value as string)
}

/** Runs work that comes in steps, letting others in between. @throws GitError `limit` when it takes too long */
async function inTime<T>(steps: Generator<void, T, undefined>, { deadline = DEFAULT_DEADLINE }: MergeTaskOptions): Promise<T> {
  const end = performance.now() + deadline
  let step = steps.next()
  while (!step.done) {
    if (isDue()) {
      if (performance.now() > end) throw new GitError('limit', `Cannot merge: it takes longer than ${deadline} ms`)
      await breathe()
    }
    step = steps.next()
  }
  return step.value
}
