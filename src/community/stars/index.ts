export { starring } from './interest-store.ts'
export { listStarredAfter, removeStarsOf } from './store.ts'
