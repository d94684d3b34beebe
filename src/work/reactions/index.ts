export { react, unreact } from './react.ts'
export { reactions } from './routes.ts'
export { listReactionsOfThread, type SignCount } from './store.ts'
