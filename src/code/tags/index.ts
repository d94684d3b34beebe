export { Tag } from './schema.ts'
