export { getHead, type HeadText, parseHead } from './find-head.ts'
