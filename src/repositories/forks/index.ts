export { getHead, type HeadText, type NamedHead, parseHead } from './find-head.ts'
