export { compare } from './routes.ts'
