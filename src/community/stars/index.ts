export { starring } from './interest-store.ts'
