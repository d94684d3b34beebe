export { listDeletedLately, RestoreForm } from './deleted-lately.ts'
export {
  type DeletionKey,
  deleteAlone,
  parseDeletionKey,
  restorableSince,
  restorableUntil,
  restoreAlone,
  writeDeletionKey,
} from './deletions.ts'
export { type DeletionRow, findContent, findDeletion, listDeletions, type ShownDeletion } from './store.ts'
export { DeletionSweep, removeForGood } from './sweep.ts'
