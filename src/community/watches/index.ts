export { watching } from './interest-store.ts'
export { listWatchedAfter, removeWatchesOf } from './store.ts'
