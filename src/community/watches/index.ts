export { watches } from './routes.ts'
export { removeWatchesOf } from './store.ts'
