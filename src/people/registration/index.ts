export { whyClosed } from './rules.ts'
