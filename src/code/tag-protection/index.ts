export { tagProtection } from './routes.ts'
