export { hasTopic } from './store.ts'
