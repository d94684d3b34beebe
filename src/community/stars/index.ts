export { stars } from './routes.ts'
export { removeStarsOf } from './store.ts'
