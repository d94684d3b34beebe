export { checkDomain, whyClosed } from './rules.ts'
