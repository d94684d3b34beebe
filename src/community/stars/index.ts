export { starring } from './interest-store.ts'
export { removeStarsOf } from './store.ts'
