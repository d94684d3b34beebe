export { combineStates } from './combine.ts'
export { countNewest, countNewestOf, listNewest, type StatusRow } from './store.ts'
