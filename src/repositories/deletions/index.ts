export { listDeletedLately, RestoreForm } from './deleted-lately.ts'
export { keyOf, parseDeletionKey, purge, restorableSince, restorableUntil, restore, softDelete, writeDeletionKey } from './soft-delete.ts'
export { type DeletedRow, type DeletionKey, findDeleted, listDeleted } from './store.ts'
