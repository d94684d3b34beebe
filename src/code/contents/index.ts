export { contents } from './routes.ts'
