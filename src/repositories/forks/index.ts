export { findHead, getHead, type HeadText, parseHead } from './find-head.ts'
export { betweenFor, pullBaseOf } from './pull-base.ts'
export { listRelatives, type Relative } from './store.ts'
