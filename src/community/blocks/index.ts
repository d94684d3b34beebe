export { blocks } from './routes.ts'
