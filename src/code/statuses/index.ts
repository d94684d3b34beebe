export { combineStates } from './combine.ts'
export { countNewest, listNewest, type StatusRow } from './store.ts'
