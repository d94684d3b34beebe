export { removeStarsOf } from './store.ts'
