import { type Oid, SHA1 } from '#git/objects/oid.ts'

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

/**
 * Whether `update` deletes a ref that does not exist and says so itself: it succeeds and changes nothing, as in git. With an old id the
 * deletion is a compare-and-swap that lost, which git refuses: of two pushes that delete one ref, only one may succeed.
 * @param now what the ref is; zero for absent
 */
export function deletesNothing({ old = SHA1.zero, new: oid }: RefUpdate, now: Oid): boolean {
  return oid === SHA1.zero && now === SHA1.zero && old === SHA1.zero
}

/**
 * `wasAbsent`: the update deletes a ref that did not exist. `isForbidden`: it is a policy that refuses, not what the refs are by now; `rule` is
 * the name of one that people made.
 */
export type RefResult = { name: string; ok: true; wasAbsent?: true } | { name: string; ok: false; reason: string; isForbidden?: true; rule?: string }
