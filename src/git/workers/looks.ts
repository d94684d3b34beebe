import { type CommitDetails, tellCommit } from '../browse/commit-details.ts'
import { peel } from '../browse/peel.ts'
import { type ToldTag, tellTag } from '../browse/tell-tag.ts'
import { type CommitLinks, commitLinks, parseCommit } from '../objects/commit.ts'
import type { Oid } from '../objects/oid.ts'
import type { ObjectReader } from '../store/types.ts'

/**
 * What is asked of single objects, by the main thread too: see `GitService.look`. Small objects cost nothing there; what any may
 * cost is bounded by the reader that is given.
 */
export const looks = {
  /** Tree, parents and date of a commit. */
  links: (store: ObjectReader, { oid }: { oid: Oid }): CommitLinks => commitLinks(store.get(oid, 'commit').data),

  /** What commits say, in the order of `oids`. */
  commits: (store: ObjectReader, { oids }: { oids: readonly Oid[] }): CommitDetails[] => oids.map((oid) => tellCommit(store, oid, oids.length)),

  /** A commit's message, whole. */
  message: (store: ObjectReader, { oid }: { oid: Oid }): string => parseCommit(store.get(oid, 'commit').data).message,

  /** What an annotated tag says. */
  tag: (store: ObjectReader, { oid }: { oid: Oid }): ToldTag => tellTag(store, oid),

  /** The commit or tree that an object leads to. */
  peel: (store: ObjectReader, { oid, type }: { oid: Oid; type: 'commit' | 'tree' }): Oid | undefined => peel(store, oid, type),

  /** The contents of blobs, in the order of `oids`. @throws GitError `limit` for one over `maxBytes` */
  blobs: (store: ObjectReader, { oids, maxBytes }: { oids: readonly Oid[]; maxBytes: number }): Uint8Array[] =>
    oids.map((oid) => store.get(oid, 'blob', maxBytes).data),
}

export type LookName = keyof typeof looks
export type LookInput<K extends LookName> = Parameters<(typeof looks)[K]>[1]
export type LookResult<K extends LookName> = ReturnType<(typeof looks)[K]>
