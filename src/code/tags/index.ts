export { tags } from './routes.ts'
export { Tag } from './schema.ts'
