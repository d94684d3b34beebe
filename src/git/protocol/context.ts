import type { CommitGraph } from '../history/commit-graph.ts'
import type { GitLimits } from '../limits.ts'
import type { Oid } from '../objects/oid.ts'
import type { PackSink } from '../packs/write/pack-output.ts'
import type { WholeTrailer } from '../packs/write/write-pack.ts'
import type { DiskStore } from '../store/disk.ts'

export interface SnapshotRef {
  name: string
  oid: Oid
  /** What an annotated tag finally points at. */
  peeled?: Oid
}

/** The refs as one viewer may see them, at one moment, sorted by name. Every protocol version shows this same list. */
export interface RefSnapshot {
  /** Where HEAD points; the branch may be unborn. */
  head?: { target: string }
  refs: readonly SnapshotRef[]
  /**
   * What the names of quiet refs begin with: there may be very many of them, so that they are listed only to who asks for names that begin
   * with the same. They can be fetched as all others can.
   */
  quiet?: RegExp
  /** Refs deleted a moment ago, the latest first, as they were: clients that listed them before still come to fetch them by name. */
  deleted?: readonly SnapshotRef[]
}

/** Where a response goes, as a pack does. */
export type ByteSink = PackSink

/** How requests reach the protocol. */
export interface Connection {
  /** Each request is a connection of its own, as over HTTP; otherwise one stream brings request after request, as over SSH. */
  stateless: boolean
}

export interface UploadContext {
  store: DiskStore
  refs: RefSnapshot
  limits: GitLimits
  /** The caller knows that every object of the store, packed or loose, is reachable from `refs`. */
  exact: boolean
  /** Derived and optional: walks over commits are much faster with it. */
  graph?: CommitGraph
  /** What all of the store was last found to end with, when that was sent. */
  trailer?: WholeTrailer | undefined
  /** Hears of what it is found to end with now, which may be asked for again. */
  onTrailer?(trailer: WholeTrailer): void
  /** Our name and version, as in `pocketforge/0.1.0`. */
  agent: string
  signal?: AbortSignal
}

/** The refs that are listed to who asks for all. */
export function* listedRefs({ refs, quiet }: RefSnapshot): Generator<SnapshotRef, void, undefined> {
  for (const ref of refs) if (!quiet?.test(ref.name)) yield ref
}

/** The ref that HEAD stands for, or undefined while its branch is unborn. */
export function findHeadRef(refs: RefSnapshot): SnapshotRef | undefined {
  return refs.head === undefined ? undefined : findRef(refs, refs.head.target)
}

export function findRef(refs: RefSnapshot, name: string): SnapshotRef | undefined {
  return refs.refs.find((ref) => ref.name === name)
}

/** The refs of many names in one pass: both lists may be a hundred thousand long. */
export function findRefs(refs: RefSnapshot, names: ReadonlySet<string>): Map<string, SnapshotRef> {
  const found = new Map<string, SnapshotRef>()
  if (names.size === 0) return found
  for (const ref of refs.refs) if (names.has(ref.name)) found.set(ref.name, ref)
  return found
}
