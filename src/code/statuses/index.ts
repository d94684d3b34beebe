export { combineStates } from './combine.ts'
export { countNewest, countNewestOf, hasStatuses, listNewest, type StatusRow } from './store.ts'
