export { findLatest, findReleaseByTag } from './store.ts'
