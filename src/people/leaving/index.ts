export { refuseLeaving } from './rules.ts'
export { deletePurge, insertPurge, listPurges, type Purge } from './store.ts'
