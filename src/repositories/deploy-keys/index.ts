export { deployKeys } from './routes.ts'
