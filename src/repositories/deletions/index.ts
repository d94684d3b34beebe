export { DeletedLately, type DeletedThing, listDeletedLately, RestoreForm } from './deleted-lately.tsx'
export { deleteRestorably, restorableSince, restorableUntil, restoreRows } from './deletions.ts'
export { type DeletionRow, findContent, findDeletion, forgetDeletion, listDeletions, type ShownDeletion } from './store.ts'
