export { copyTopics, hasTopic } from './store.ts'
