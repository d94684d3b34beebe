export { refuseLeaving } from './refuse-leaving.ts'
export { deletePurge, insertPurge, listPurges, type Purge } from './store.ts'
