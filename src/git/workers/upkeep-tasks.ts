import { join } from 'node:path'
import { breathe, isDue } from '#kernel/breathe.ts'
import { writeBitmaps } from '../bitmaps/write-bitmap.ts'
import { checkpointOf } from '../checkpoint.ts'
import { commitGraphPath } from '../history/commit-graph.ts'
import { CommitSource } from '../history/commit-source.ts'
import { reachAllSteps } from '../history/walk.ts'
import { type WrittenGraph, writeCommitGraph } from '../history/write-commit-graph.ts'
import { limitsOfStored } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import { type Consolidated, consolidate, type JoinedSmall, type JoinOptions, joinSmallPacks, packReachable } from '../packs/write/consolidate.ts'
import type { SnapshotRef } from '../protocol/context.ts'
import { runSteps } from '../steps.ts'
import { DiskStore } from '../store/disk.ts'
import type { OpenRepo } from './open-repos.ts'
import { inQuarantine } from './quarantine.ts'
import { decodeRefs, type RefChunk } from './ref-list.ts'

interface ConsolidateInput {
  chunks: readonly RefChunk[]
  cutoff: number
  spared?: ReadonlyMap<Oid, number> | undefined
  quarantine: string
}

/** What was read of so many is worth a collection of its own. */
const MANY_COMMITS = 20_000
/** Few commits stand on others, and those lie near. */
const GRAPH_CACHE_BYTES = 8 * 1024 * 1024
const TREE_CACHE_BYTES = 12 * 1024 * 1024

/** Background work on one repository's store; nothing here takes anything away. */
export const upkeepTasks = {
  /** Writes the joined packs into `quarantine`; see `consolidate`. */
  async consolidate(repo: OpenRepo, { chunks, quarantine, ...input }: ConsolidateInput): Promise<Consolidated> {
    const tips = [...new Set((await decodeRefs(chunks)).map((ref) => ref.oid))]
    const own = { ...input, tips, objects: join(repo.path, 'objects'), directory: quarantine }
    return inQuarantine(quarantine, () =>
      readingAll(repo, (store, options) => consolidate(store, new CommitSource(store, repo.graph()), { ...own, ...options })),
    )
  },

  /** Writes what `tips` reach, and nothing else, as packs into `quarantine`; answers their paths. */
  async packReachable(repo: OpenRepo, { tips, quarantine: directory }: { tips: Oid[]; quarantine: string }): Promise<string[]> {
    return readingAll(repo, (store, options) => packReachable(store, new CommitSource(store, repo.graph()), { ...options, tips, directory }))
  },

  /** Joins the smaller packs into one in `quarantine`; see `joinSmallPacks`. */
  async joinSmallPacks(repo: OpenRepo, { quarantine: directory, leftOut }: { quarantine: string; leftOut: ReadonlySet<string> }): Promise<JoinedSmall> {
    return inQuarantine(directory, () => readingAll(repo, (store, options) => joinSmallPacks(store, { ...options, directory, leftOut })))
  },

  /** Whether refs point to all of `oids`, or reach those of them that are commits. */
  async areReached(repo: OpenRepo, { chunks, oids }: { chunks: readonly RefChunk[]; oids: readonly Oid[] }): Promise<boolean> {
    const refs = await decodeRefs(chunks)
    const ends = new Set(refs.map(({ oid }) => oid))
    const open = oids.filter((oid) => !ends.has(oid))
    if (open.length === 0) return true
    if (!open.every((oid) => isCommit(repo, oid))) return false
    return runSteps(reachAllSteps(repo.commits(), await commitsAt(repo, refs), open))
  },

  /** Brings the commit-graph up to what refs end at; ends that are no commits are left out. Until it is whole it lies at `temporary`. */
  async writeCommitGraph(repo: OpenRepo, { chunks, temporary }: { chunks: readonly RefChunk[]; temporary?: string }): Promise<WrittenGraph> {
    const tips = await commitsAt(repo, await decodeRefs(chunks))
    // What is read once does not stay in the thread's cache.
    const store = DiskStore.open(repo.path, { limits: repo.limits, cacheBytes: GRAPH_CACHE_BYTES })
    const written = await writeCommitGraph(store, tips, commitGraphPath(repo.path), { temporary, changedPaths: true }).finally(() => store.close())
    // Whoever walks that history next, on this thread or another, needs the memory.
    if (written.added > MANY_COMMITS) Bun.gc(true)
    return written
  },

  /** Writes reachability bitmaps beside the largest pack; answers for how many commits. Until they are whole they lie at `temporary`. */
  async writeBitmaps(repo: OpenRepo, { chunks, temporary }: { chunks: readonly RefChunk[]; temporary: string }): Promise<number> {
    const tips = await commitsAt(repo, await decodeRefs(chunks))
    // All trees are read, each about once: a large cache would be held by this thread from then on, and not be of much use.
    const store = DiskStore.open(repo.path, { limits: repo.limits, cacheBytes: TREE_CACHE_BYTES })
    try {
      return await writeBitmaps(store, new CommitSource(store, repo.graph()), { tips, temporary, checkpoint: checkpointOf() })
    } finally {
      store.close()
      Bun.gc(true)
    }
  },
}

/** Does `work` with a store of its own that gives out all that is stored, whatever may be read of it otherwise. */
async function readingAll<T>(repo: OpenRepo, work: (store: DiskStore, options: Pick<JoinOptions, 'limits' | 'checkpoint'>) => Promise<T>): Promise<T> {
  const limits = limitsOfStored(repo.limits)
  const store = DiskStore.open(repo.path, { limits })
  try {
    return await work(store, { limits, checkpoint: checkpointOf() })
  } finally {
    store.close()
  }
}

/** The commits that refs end at, each once. */
async function commitsAt(repo: OpenRepo, refs: readonly SnapshotRef[]): Promise<Oid[]> {
  const commits: Oid[] = []
  for (const oid of new Set(refs.map((ref) => ref.peeled ?? ref.oid))) {
    if (isCommit(repo, oid)) commits.push(oid)
    if (isDue()) await breathe()
  }
  return commits
}

function isCommit({ store }: OpenRepo, oid: Oid): boolean {
  return store.findHeader(oid)?.type === 'commit'
}
