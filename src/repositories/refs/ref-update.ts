import type { Oid } from '#git/objects/oid.ts'

/** What is asked of one ref. */
export interface RefUpdate {
  name: string
  /** What the ref must be now; zero for "absent", undefined for "whatever it is". */
  old?: Oid
  /** Zero deletes. */
  new: Oid
  /** What an annotated tag finally points to. */
  peeled?: Oid
  /** Committer date of a commit, in seconds. */
  time?: number
  /** `new` contains `old`, or there is no `old`: nothing becomes unreachable. Unknown counts as no. */
  fastForward?: boolean
}
