export { collaborators } from './routes.ts'
