export { listDeletedLately, RestoreForm } from './deleted-lately.ts'
export {
  type DeletionKey,
  deleteRestorably,
  parseDeletionKey,
  restorableSince,
  restorableUntil,
  restoreRows,
  writeDeletionKey,
} from './deletions.ts'
export { type DeletionRow, findContent, findDeletion, forgetDeletion, listDeletions, type ShownDeletion } from './store.ts'
