export { pulls } from './routes.ts'
export { findMergedAs, findPull, type PullRow } from './store.ts'
