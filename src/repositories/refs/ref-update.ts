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

/** The reason of a ref that nothing speaks against but that others of the same atomic update were refused. The words are git's. */
export const REFUSED_WITH_OTHERS = 'atomic push failed'

/** `isForbidden`: it is a policy that refuses, not what the refs are by now; `rule` is the name of one that people made. */
export type RefResult = { name: string; ok: true } | { name: string; ok: false; reason: string; isForbidden?: true; rule?: string }
