export { watching } from './interest-store.ts'
export { watches } from './routes.ts'
export { removeWatchesOf } from './store.ts'
