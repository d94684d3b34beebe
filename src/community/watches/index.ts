export { watching } from './interest-store.ts'
export { removeWatchesOf } from './store.ts'
