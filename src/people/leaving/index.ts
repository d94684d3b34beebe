export { forgetLeaver, Leavers } from './forget-leavers.ts'
export { refuseLeaving } from './rules.ts'
export { deletePurge, endPurge, insertPurge, listPurges, type Purge } from './store.ts'
