export { listLanguages } from './store.ts'
