export { webhooks } from './routes.ts'
export { mayFire } from './rules.ts'
