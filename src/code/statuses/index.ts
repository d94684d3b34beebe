export { combineStates } from './combine.ts'
export { countNewest, countNewestOf, hasStatuses, listNewest, newestQuestion, type StatusRow } from './store.ts'
