export { markdown } from './routes.ts'
