export { getHead, type HeadText, parseHead } from './find-head.ts'
export { listRelatives, type Relative } from './store.ts'
