export { clearRefs } from './clear-refs.ts'
export { type CopiedRefs, copyRefs, copyRefsAhead } from './copy-refs.ts'
export { restorableSeconds } from './deleted-branches.ts'
export { type DeletedBranch, findDeletedBranch, findDeletedTips, listDeletedBranches } from './deleted-store.ts'
export { formatHead, formatPackedRefs, writeDerived } from './derived.ts'
export type { PushEvent, RefChange } from './events.ts'
export { findLostTips, markExact, markInexact } from './exactness-store.ts'
export { beginWithRefs, type FirstRefs, putFirstRefs } from './first-refs.ts'
export { discard, discardAgain, listUnfinished, quarantineName, sweepUnfinished, temporaryIn } from './leftovers.ts'
export { findNamedCommit, findNamedObject, getNamedCommit } from './named-object.ts'
export { mayPush, mayPushAny } from './push-rights.ts'
export { isTold } from './quiet-refs.ts'
export type { ComingMove, GuardedRepo, JudgedMove, RefGuard, RefMove, Refusal } from './ref-guard.ts'
export { refPage, refPages, tipsUnder } from './ref-pages.ts'
export { REFUSED_WITH_OTHERS, type RefResult, type RefUpdate } from './ref-update.ts'
export { findActing, findReflogEntry, listReflog, type ReflogEntry } from './reflog-store.ts'
export { findRenamedBranch, noteRenamedBranch } from './renamed-store.ts'
export { standAside } from './reserved-names.ts'
export { findRevision, getCommitByRef, getCommitRevision, type Revision } from './revisions.ts'
export { searchBranches, searchRefs } from './search-refs.ts'
export { fewRefs, recentlyDeleted, refSnapshot, type SharedSnapshot } from './snapshot.ts'
export {
  adoptDefaultBranch,
  findRef,
  getState,
  hasOtherRefs,
  hasRefs,
  listBranches,
  listRefLines,
  listRefs,
  type RefRow,
  refsQuestion,
} from './store.ts'
export { moveHead, type RefPolicy, StaleStage, updateRefs } from './update-refs.ts'
export { type MoveRefs, ObjectWriting, writeObjects } from './write-objects.ts'
