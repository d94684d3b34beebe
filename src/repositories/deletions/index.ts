export { listDeletedLately, RestoreForm } from './deleted-lately.ts'
export {
  type DeletionKey,
  deleteAlone,
  deleteIssueAlone,
  deleteRestorably,
  parseDeletionKey,
  restorableSince,
  restorableUntil,
  restoreAlone,
  restoreRows,
  writeDeletionKey,
} from './deletions.ts'
export { settleRows } from './settle.ts'
export { type DeletionRow, findContent, findDeletion, forgetDeletion, listDeletions, type ShownDeletion } from './store.ts'
export { isSettling } from './unsettled-store.ts'
