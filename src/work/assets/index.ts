export { assets } from './routes.ts'
