export { webhooks } from './routes.ts'
export { deactivateHooksOf } from './store.ts'
