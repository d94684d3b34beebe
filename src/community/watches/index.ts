export { watching } from './interest-store.ts'
