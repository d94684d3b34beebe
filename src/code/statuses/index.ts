export { combineStates } from './combine.ts'
export { Checks, type StateCounts, totalOf } from './status-list.tsx'
export { type StatusMarks, statusMarks } from './status-marks.tsx'
export { countNewest, countNewestQuestion, hasStatuses, listNewest, newestQuestion, type StatusRow } from './store.ts'
