export { findReleaseByTag } from './store.ts'
