export { sendAsset } from './download.ts'
export { findVisibleAsset } from './get-release.ts'
export { findLatest, findReleaseByTag } from './store.ts'
