export { reactions } from './routes.ts'
