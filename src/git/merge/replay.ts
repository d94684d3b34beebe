import { GitError } from '../errors.ts'
import type { CommitSource } from '../history/commit-source.ts'
import { listCommits } from '../history/walk.ts'
import { defaultLimits } from '../limits.ts'
import type { Ident } from '../objects/ident.ts'
import type { Oid } from '../objects/oid.ts'
import type { Steps } from '../steps.ts'
import { type CommitText, writeCommit, writeReplayed } from './made-commit.ts'
import type { Conflict, Merger } from './merge-commits.ts'
import type { MergeNote } from './merge-state.ts'
import { type Change, changedPaths, patchKey } from './patch-key.ts'

/** Why a commit was not made: these paths are in conflict. */
export interface Conflicted {
  status: 'conflict'
  /** The commit that could not be replayed. */
  commit: Oid
  conflicts: Conflict[]
  notes: MergeNote[]
}

export interface Rebased {
  status: 'done'
  /** The new tip. */
  tip: Oid
  /** The commits from `onto` to the tip, oldest first; those that need no change are as they were. */
  commits: Oid[]
  /** Commits left out, because their change is upstream already, or nothing was left of it. */
  dropped: Oid[]
}

export interface RebaseRequest {
  head: Oid
  onto: Oid
  /** What `head` has and this has not is replayed. Default: `onto`. */
  upstream?: Oid
  committer: Ident
}

export interface PickRequest {
  commit: Oid
  onto: Oid
  /** Which parent a merge is compared with, from 1 on. Merges need it, others have no second parent. */
  mainline?: number
}

export interface RevertRequest {
  /** What was there before, and after. */
  from: Oid
  to: Oid
  onto: Oid
}

/** The outcome of replaying one commit. `empty`: nothing would change. */
export type Picked = { status: 'done'; commit: Oid } | { status: 'empty' } | Conflicted

/** Commits replayed at once. */
const MAX_REPLAYED = 10_000
/** Upstream commits, newest first, among which changes are looked for. */
const MAX_UPSTREAM = 10_000

/** Puts commits onto others. What it makes is in the merger's store until somebody keeps it. */
export class Replayer {
  readonly #source: CommitSource
  readonly #merger: Merger

  constructor(merger: Merger) {
    this.#source = merger.source
    this.#merger = merger
  }

  /**
   * Replays what `head` has and `upstream` has not onto `onto`, as `git rebase` does: merges are left out, and so are changes that are upstream
   * already or come to nothing; authors and their dates stay.
   * @throws GitError `limit` for too many commits or too much work
   */
  *rebase({ head, onto, upstream = onto, committer }: RebaseRequest): Generator<void, Rebased | Conflicted, undefined> {
    const rebased: Rebased = { status: 'done', tip: onto, commits: [], dropped: [] }
    const commits = (yield* this.#range(head, upstream, MAX_REPLAYED + 1)).reverse()
    if (commits.length > MAX_REPLAYED) throw new GitError('limit', `Cannot rebase: there are more than ${MAX_REPLAYED} commits`)
    const known = yield* this.#upstreamChanges(commits, head, upstream)
    for (const commit of commits) {
      const picked = known.has(commit) ? 'dropped' : yield* this.#replay(commit, rebased.tip, committer)
      if (typeof picked === 'object') return picked
      if (picked === 'dropped') rebased.dropped.push(commit)
      else {
        rebased.commits.push(picked)
        rebased.tip = picked
      }
      yield
    }
    return rebased
  }

  /** Replays one commit onto another; it says what it said, unless `text` says otherwise. */
  *cherryPick({ commit, onto, mainline }: PickRequest, committer: Ident, text?: CommitText): Generator<void, Picked, undefined> {
    const { before, after } = this.#changeOf(commit, mainline)
    const tree = yield* this.#apply({ before, after }, onto, commit)
    if (typeof tree === 'object') return tree
    if (tree === this.#treeOf(onto)) return { status: 'empty' }
    const { store } = this.#merger
    return { status: 'done', commit: text ? writeCommit(store, tree, [onto], text) : writeReplayed(store, this.#dataOf(commit), tree, [onto], committer) }
  }

  /** Takes one commit's change back. */
  *revert({ commit, onto, mainline }: PickRequest, text: CommitText): Generator<void, Picked, undefined> {
    const { before, after } = this.#changeOf(commit, mainline)
    const { emptyTree } = this.#merger.store.format
    const tree = yield* this.#apply({ before: after, after: before ?? emptyTree }, onto, commit)
    if (typeof tree === 'object') return tree
    return tree === this.#treeOf(onto) ? { status: 'empty' } : { status: 'done', commit: writeCommit(this.#merger.store, tree, [onto], text) }
  }

  /** Takes back all that lies between two commits, whatever it was made of. */
  *revertRange({ from, to, onto }: RevertRequest, text: CommitText): Generator<void, Picked, undefined> {
    const tree = yield* this.#apply({ before: this.#treeOf(to), after: this.#treeOf(from) }, onto, to)
    if (typeof tree === 'object') return tree
    return tree === this.#treeOf(onto) ? { status: 'empty' } : { status: 'done', commit: writeCommit(this.#merger.store, tree, [onto], text) }
  }

  *#replay(commit: Oid, tip: Oid, committer: Ident): Generator<void, Oid | 'dropped' | Conflicted, undefined> {
    if (this.#parentsOf(commit)[0] === tip) return commit
    const change = this.#changeOf(commit)
    const tree = yield* this.#apply(change, tip, commit)
    if (typeof tree === 'object') return tree
    const wasEmpty = change.after === (change.before ?? this.#merger.store.format.emptyTree)
    if (tree === this.#treeOf(tip) && !wasEmpty) return 'dropped'
    return writeReplayed(this.#merger.store, this.#dataOf(commit), tree, [tip], committer)
  }

  /** The tree of `onto` with a change applied. */
  *#apply({ before, after }: Change, onto: Oid, commit: Oid): Generator<void, Oid | Conflicted, undefined> {
    const trees = { base: before, ours: this.#treeOf(onto), theirs: after }
    const { isClean, tree, conflicts, notes } = yield* this.#merger.mergeTrees(trees, `parent of ${commit}`)
    return isClean ? tree : { status: 'conflict', commit, conflicts, notes }
  }

  /** Those of `commits` whose change some commit of `upstream` makes as well. */
  *#upstreamChanges(commits: readonly Oid[], head: Oid, upstream: Oid): Generator<void, Set<Oid>, undefined> {
    const known = new Set<Oid>()
    const { store } = this.#merger
    const byPaths = Map.groupBy(commits, (commit) => changedPaths(store, this.#changeOf(commit)) ?? '')
    byPaths.delete('')
    if (byPaths.size === 0) return known
    for (const other of yield* this.#range(upstream, head, MAX_UPSTREAM)) {
      const change = this.#changeOf(other)
      const alike = byPaths.get(changedPaths(store, change) ?? '') ?? []
      const key = alike.length > 0 ? yield* patchKey(store, change) : undefined
      for (const commit of alike) if ((yield* patchKey(store, this.#changeOf(commit))) === key) known.add(commit)
      yield
    }
    return known
  }

  /** What `include` has and `exclude` has not, but for merges, newest first. */
  *#range(include: Oid, exclude: Oid, limit: number): Steps<Oid[]> {
    const commits: Oid[] = []
    for (const id of yield* listCommits(this.#source, { include: [include], exclude: [exclude], order: 'topo' })) {
      if (this.#source.parents(id).length > 1) continue
      if (commits.push(this.#source.oid(id)) >= limit) break
    }
    return commits
  }

  /** @throws GitError `refused` when `mainline` does not fit the commit */
  #changeOf(commit: Oid, mainline?: number): Change {
    const parents = this.#parentsOf(commit)
    if (parents.length > 1 && mainline === undefined)
      throw new GitError('refused', `Cannot replay ${commit}: it is a merge commit, and no mainline parent was given`)
    const parent = parents[(mainline ?? 1) - 1]
    if (mainline !== undefined && parent === undefined) throw new GitError('refused', `Cannot replay ${commit}: it has no parent ${mainline}`)
    return { before: parent === undefined ? undefined : this.#treeOf(parent), after: this.#treeOf(commit) }
  }

  #parentsOf(commit: Oid): Oid[] {
    return Array.from(this.#source.parents(this.#source.idOf(commit)), (id) => this.#source.oid(id))
  }

  #treeOf(commit: Oid): Oid {
    return this.#merger.treeOf(commit)
  }

  #dataOf(commit: Oid): Uint8Array {
    return this.#merger.store.get(commit, 'commit', defaultLimits.maxParsedBytes).data
  }
}
