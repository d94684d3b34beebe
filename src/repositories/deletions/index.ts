export { listDeletedLately, RestoreForm } from './deleted-lately.ts'
export {
  type DeletionKey,
  deleteAlone,
  deleteRestorably,
  parseDeletionKey,
  restorableSince,
  restorableUntil,
  restoreAlone,
  restoreRows,
  writeDeletionKey,
} from './deletions.ts'
export { type DeletionRow, findContent, findDeletion, forgetDeletion, listDeletions, type ShownDeletion } from './store.ts'
