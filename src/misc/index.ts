export { misc } from './routes.ts'
